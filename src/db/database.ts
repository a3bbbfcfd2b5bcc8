import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import type { Logger } from '../domain/logger.ts';
import type { Secret } from '../domain/secret.ts';
import { type ConnectionForm, connectionForms, type TransportSettings } from './connection-form.ts';
import {
  DatabaseUnavailable,
  errorCode,
  isConnectionError,
  isNetworkError,
  isRefusalForNow,
  isRolledBackByConcurrency,
} from './database-unavailable.ts';
import type { ColumnCipher } from './encryption.ts';
import { pause } from './pause.ts';
import type { Schema } from './schema.ts';
import type { Statement } from './statement.ts';

export interface DatabaseSettings extends TransportSettings {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: Secret;
  readonly name: string;
  /** Connections at most; 10 unless told. Listening takes one more. */
  readonly poolSize?: number;
}

/** Statements inside one transaction. */
export interface Transaction {
  run<Row>(statement: Statement<Row>, values: readonly unknown[]): Promise<readonly Row[]>;
}

const connectMillis = 5_000;
const statementMillis = 20_000;

/**
 * Connections to one PostgreSQL database. A lost connection never crashes the process: whoever was using it gets
 * `DatabaseUnavailable`, and the next statement connects anew.
 */
export class Database implements Transaction {
  /** For statements that are built, off the hot paths. */
  readonly kysely: Kysely<Schema>;
  /** Seals confidential values; undefined when no key is configured. */
  readonly cipher: ColumnCipher | undefined;
  readonly #settings: DatabaseSettings;
  readonly #forms: readonly [ConnectionForm, ...ConnectionForm[]];
  readonly #pool: pg.Pool;
  #form: ConnectionForm;

  constructor({ settings, cipher, log }: { settings: DatabaseSettings; cipher?: ColumnCipher; log: Logger }) {
    this.#settings = settings;
    this.cipher = cipher;
    this.#forms = connectionForms(settings);
    this.#form = this.#forms[0];
    const currentForm = () => this.#form;
    this.#pool = new pg.Pool({
      ...this.#clientConfig(),
      max: settings.poolSize ?? 10,
      idleTimeoutMillis: 60_000,
      // The pool makes clients by itself; each takes the form that worked last.
      Client: class extends pg.Client {
        constructor(config?: pg.ClientConfig) {
          super({ ...config, password: settings.password.reveal(), ssl: currentForm() });
        }
      },
    });
    this.#pool.on('error', (error) => {
      if (!this.#pool.ending) log.warn({ error: error.message }, 'an idle database connection was lost');
    });
    // Without a listener, losing a connection that is in use would end the process.
    this.#pool.on('connect', (client) => client.on('error', () => {}));
    this.kysely = new Kysely<Schema>({
      dialect: new PostgresDialect({
        pool: { connect: () => this.#kyselyClient(), end: async () => {}, options: {} },
      }),
    });
  }

  /** Runs one statement in a transaction of its own. Sent again when the server rolled it back for concurrency. */
  async run<Row>(statement: Statement<Row>, values: readonly unknown[]): Promise<readonly Row[]> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#withClient((client) => send(client, statement, values));
      } catch (error) {
        if (attempt >= 5 || !isRolledBackByConcurrency(error)) throw error;
      }
    }
  }

  /** Commits when `work` fulfils, rolls back when it throws. No call over the network inside. */
  async transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    return this.#withClient(async (client) => {
      await client.query('BEGIN');
      try {
        const result = await work({ run: (statement, values) => send(client, statement, values) });
        await client.query('COMMIT');
        return result;
      } catch (error) {
        if (!isConnectionError(error)) await client.query('ROLLBACK');
        throw error;
      }
    });
  }

  /**
   * Resolves when the server answers. A server that is not up yet, or a database that does not exist yet, is waited
   * for; a refusal that waiting does not heal (password, certificate, encryption) is thrown.
   */
  async waitUntilUp({ signal, log }: { signal: AbortSignal; log: Logger }): Promise<void> {
    for (let delay = 100; ; delay = Math.min(delay * 2, 5_000)) {
      signal.throwIfAborted();
      try {
        const client = await this.connect();
        await client.end();
        return;
      } catch (error) {
        const cause = error instanceof DatabaseUnavailable ? error.cause : error;
        // 3D000: the database does not exist (yet).
        if (!(error instanceof DatabaseUnavailable) && errorCode(error) !== '3D000') throw error;
        log.warn({ error: (cause as Error).message, retryInMillis: delay }, 'waiting for the database');
        await pause(delay, signal);
      }
    }
  }

  /** A connection of its own outside the pool, such as for listening. Whoever asks for it ends it. */
  async connect(options: { statementMillis?: number } = {}): Promise<pg.Client> {
    return this.#inWorkingForm(async () => {
      const limit = options.statementMillis ?? statementMillis;
      const client = new pg.Client({
        ...this.#clientConfig(),
        statement_timeout: limit,
        query_timeout: limit,
        password: this.#settings.password.reveal(),
        ssl: this.#form,
      });
      client.on('error', () => {});
      await client.connect();
      return client;
    });
  }

  /** Lets running statements finish. */
  async close(): Promise<void> {
    await this.kysely.destroy();
    await this.#pool.end();
  }

  #clientConfig(): pg.ClientConfig {
    const { host, port, user, name } = this.#settings;
    return {
      host,
      port,
      user,
      database: name,
      application_name: 'runtime-provisioner',
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      connectionTimeoutMillis: connectMillis,
      // Both: the server gives up a slow statement, the client a server that fell silent.
      statement_timeout: statementMillis,
      query_timeout: statementMillis,
      idle_in_transaction_session_timeout: statementMillis,
    };
  }

  async #withClient<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    const client = await this.#inWorkingForm(() => this.#pool.connect());
    let broken = false;
    try {
      return await work(client);
    } catch (error) {
      broken = isConnectionError(error);
      throw broken ? new DatabaseUnavailable(error, true) : error;
    } finally {
      client.release(broken);
    }
  }

  /** Connects in the form that worked last, then (where sslmode has two) in the other one. */
  async #inWorkingForm<Client>(connect: () => Promise<Client>): Promise<Client> {
    const preferred = this.#form;
    try {
      return await connect();
    } catch (error) {
      const other = this.#forms.find((form) => form !== preferred);
      if (other === undefined || isNetworkError(error)) throw asUnavailable(error);
      this.#form = other;
      try {
        return await connect();
      } catch {
        this.#form = preferred;
        throw asUnavailable(error);
      }
    }
  }

  async #kyselyClient(): Promise<PostgresPoolClient> {
    const client = await this.#inWorkingForm(() => this.#pool.connect());
    let broken = false;
    const query = async (text: string, values: readonly unknown[]) => {
      try {
        return await client.query(text, [...values]);
      } catch (error) {
        broken = isConnectionError(error);
        throw broken ? new DatabaseUnavailable(error, true) : error;
      }
    };
    return { query, release: () => client.release(broken) } as unknown as PostgresPoolClient;
  }
}

async function send<Row>(client: pg.ClientBase, statement: Statement<Row>, values: readonly unknown[]): Promise<Row[]> {
  const result = await client.query({ name: statement.name, text: statement.text, values: [...values] });
  return result.rows as Row[];
}

/** A connection that was never made carried nothing out. */
function asUnavailable(error: unknown): unknown {
  return isRefusalForNow(error) ? new DatabaseUnavailable(error, false) : error;
}
