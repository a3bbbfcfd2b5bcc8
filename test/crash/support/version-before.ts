import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Kysely, PostgresDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import pg from 'pg';
import { migrations } from '../../../src/db/migrations/migrations.ts';
import { atEnd } from '../../harness/at-end.ts';
import type { TestDatabaseSettings } from '../../harness/postgres.ts';

/**
 * What the version before sent, word for word, and the last migration that it knew. To be renewed with each release: by
 * what its src/db/statement.ts was given while all of its src/db/queries were loaded.
 */
const before = JSON.parse(
  readFileSync(new URL('../../db/support/statements-of-version-before.json', import.meta.url), 'utf8'),
) as { readonly lastMigration: string; readonly statements: Readonly<Record<string, string>> };

export const statementsBefore = before.statements;

/** An operation that it runs. */
export interface Held {
  readonly id: string;
  readonly runtimeId: string;
  readonly stage: string;
  readonly attempt: number;
  readonly revision: number;
  readonly wakeSeq: string;
}

interface NextCommit {
  readonly state?: 'InProgress' | 'Succeeded';
  /** As long as it is the same stage, it waits. */
  readonly stage: string;
  readonly keep: boolean;
  readonly wakeKey?: string;
  readonly event: string;
}

type Row = Readonly<Record<string, unknown>>;

const leaseMillis = 10_000;
const kinds = ['Provision', 'Deprovision'];
let names = 0;

/** Makes the tables as the version before left them. */
export async function migrateAsBefore({ host, port, user, password, name }: TestDatabaseSettings): Promise<void> {
  const pool = new pg.Pool({ host, port, user, password: password.reveal(), database: name, max: 1 });
  const kysely = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  const known = Object.entries(migrations).filter(([migration]) => migration <= before.lastMigration);
  const migrator = new Migrator({
    db: kysely,
    provider: { getMigrations: async () => Object.fromEntries(known) },
    migrationTableName: 'migration',
    migrationLockTableName: 'migration_lock',
  });
  const { error } = await migrator.migrateToLatest();
  await kysely.destroy();
  if (error !== undefined) throw error;
}

/**
 * A replica of the version before, on one connection, whose statements are prepared once and used again as in its pool.
 * It does what its engine and its API did, one step at a time.
 */
export class VersionBefore {
  readonly replicaId = randomUUID();
  readonly #client: pg.Client;

  constructor({ host, port, user, password, name }: TestDatabaseSettings) {
    this.#client = new pg.Client({ host, port, user, password: password.reveal(), database: name });
    atEnd(() => this.#client.end());
  }

  /** Connects, and tells the others that it lives. */
  async join(): Promise<void> {
    await this.#client.connect();
    await this.run('join-replicas', [this.replicaId, 'host', 1]);
  }

  async run(name: string, values: readonly unknown[]): Promise<readonly Row[]> {
    const text = statementsBefore[name] ?? assert.fail(`it had no statement ${name}`);
    return (await this.#client.query<Row>({ name, text, values: [...values] })).rows;
  }

  /** That it can be understood, and what it takes and gives; nothing is carried out. */
  async prepare(name: string): Promise<void> {
    await this.#client.query(`PREPARE "just-prepared" AS ${statementsBefore[name]}`);
    await this.#client.query('DEALLOCATE "just-prepared"');
  }

  /** False: the others have given it up. */
  async beat(): Promise<Row> {
    const [row] = await this.run('beat', [this.replicaId, leaseMillis]);
    return row ?? assert.fail('a beat answers a row');
  }

  async acceptProvision(stage: string): Promise<{ readonly id: string; readonly runtimeId: string }> {
    names += 1;
    const name = `before-${names}`;
    const runtimeId = randomUUID();
    const [row] = await this.run('accept-provision', [
      ...[randomUUID(), stage, 'Provisioning started', null],
      ...[runtimeId, 'tenant-a', null, name, null, '{"team":"a"}', 'none', 'gardener', name],
      ...['{"provider":"gcp"}', 'gcp', 'europe-west3', '1.34.2', null, null],
      ...[null, null, null, null, [], null, null, null, null],
    ]);
    return { id: String(row?.operation_id), runtimeId };
  }

  async acceptDeprovision(runtimeId: string, stage: string): Promise<string> {
    const values = [randomUUID(), runtimeId, 'tenant-a', 'Deprovision', stage, 'Deprovisioning started'];
    const [row] = await this.run('accept-operation', [...values, null, null, null, null]);
    return String(row?.operation_id);
  }

  async cancel(id: string): Promise<void> {
    assert.equal((await this.run('request-cancellation', [id, 'tenant-a'])).length, 1);
  }

  async wake(key: string): Promise<number> {
    return Number((await this.run('wake-operations', [[key]]))[0]?.woken);
  }

  /** All that is due. */
  async claim(): Promise<readonly Held[]> {
    const rows = await this.run('claim-operations', [this.replicaId, 10, kinds, leaseMillis, [], null]);
    return rows.flatMap(({ operation_id: id, runtime_id: runtimeId, stage, attempt, revision, wake_seq }) =>
      id === null
        ? []
        : [
            {
              ...{ id: String(id), runtimeId: String(runtimeId), stage: String(stage), wakeSeq: String(wake_seq) },
              ...{ attempt: Number(attempt), revision: Number(revision) },
            },
          ],
    );
  }

  async note(held: Held, notes: object): Promise<void> {
    const values = [held.id, this.replicaId, held.attempt, JSON.stringify(notes)];
    assert.equal((await this.run('store-notes', values)).length, 1);
  }

  /** Answers the operation as it then holds it; undefined when the commit did not land. */
  async commit(held: Held, next: NextCommit): Promise<Held | undefined> {
    const { state = 'InProgress', stage, keep, wakeKey = null, event } = next;
    const events = [{ position: 1, type: event, stage: held.stage, message: event }];
    const [row] = await this.run('commit-operation', [
      ...[held.id, this.replicaId, held.attempt, held.revision, keep, keep ? 0 : 60_000, held.wakeSeq],
      ...[state, stage, event, null, null, 0, 0, wakeKey, stage !== held.stage, JSON.stringify(events)],
      ...['domain.example.com', null, false, null, false],
    ]);
    if (row === undefined) return undefined;
    return { ...held, stage, revision: Number(row.revision), wakeSeq: String(row.wake_seq) };
  }

  /** Takes what those had who fell silent. */
  async takeOver(): Promise<readonly string[]> {
    return (await this.run('take-over', [leaseMillis])).map(({ id }) => String(id));
  }

  async leave(): Promise<void> {
    await this.run('leave-replicas', [this.replicaId]);
  }
}
