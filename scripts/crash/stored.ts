import pg from 'pg';
import type { OperationKind, OperationState } from '../../src/domain/operation.ts';

/** An operation that some process has now. */
export interface HeldOperation {
  readonly id: string;
  readonly runtimeId: string;
  readonly kind: OperationKind;
  readonly stage: string;
}

export interface StoredOperation extends HeldOperation {
  readonly state: OperationState;
  readonly message: string;
}

const columns = 'operation.id, runtime_id AS "runtimeId", kind, stage';

/** A look at what the service has stored, past the service. */
export class Stored {
  readonly #pool: pg.Pool;

  constructor(config: pg.PoolConfig) {
    this.#pool = new pg.Pool({ ...config, max: 4 });
    this.#pool.on('error', () => {});
  }

  async operationOf(process: number): Promise<HeldOperation | undefined> {
    const { rows } = await this.#pool.query<HeldOperation>(
      `SELECT ${columns} FROM operation JOIN replica ON replica.id = operation.owner
      WHERE replica.process = $1 AND state = 'InProgress'`,
      [process],
    );
    return rows[0];
  }

  async newestOperation(): Promise<StoredOperation | undefined> {
    const { rows } = await this.#pool.query<StoredOperation>(
      `SELECT ${columns}, state, message FROM operation ORDER BY operation.sequence DESC LIMIT 1`,
    );
    return rows[0];
  }

  /** As if a process had fallen silent so long ago that others may go on at once. */
  async giveUp(process: number): Promise<void> {
    await this.#pool.query(`UPDATE replica SET seen = seen - interval '10 minutes' WHERE process = $1`, [process]);
  }

  /** `Type Stage` of each event in order, without waits and retries, which depend on who is faster. */
  async course(operationId: string): Promise<readonly string[]> {
    const events = await this.#events(operationId);
    const lasting = events.filter(({ type }) => type !== 'Waiting' && type !== 'Retrying');
    return lasting.map(({ type, stage }) => `${type} ${stage}`);
  }

  async hasGap(operationId: string): Promise<boolean> {
    const events = await this.#events(operationId);
    return events.some(({ sequence }, index) => sequence !== index + 1);
  }

  async counts(): Promise<Readonly<Record<'runtimes' | 'operations' | 'intents', number>>> {
    const count = (table: string) => `(SELECT count(*)::int FROM ${table})`;
    const { rows } = await this.#pool.query(
      `SELECT ${count('runtime')} AS runtimes, ${count('operation')} AS operations, ${count('registration_intent')} AS intents`,
    );
    return rows[0];
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  async #events(operationId: string) {
    const { rows } = await this.#pool.query<{ type: string; stage: string; sequence: number }>(
      'SELECT type, stage, sequence FROM operation_event WHERE operation_id = $1 ORDER BY sequence',
      [operationId],
    );
    return rows;
  }
}
