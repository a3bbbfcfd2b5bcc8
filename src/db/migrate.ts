import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely';
import { Migrator } from 'kysely/migration';
import type { Logger } from '../domain/logger.ts';
import type { Database } from './database.ts';
import { migrations } from './migrations/migrations.ts';

/** A migration may rewrite a large table. */
const migrationMillis = 60 * 60_000;

/**
 * Brings the tables up to date, all or nothing. Replicas that start together wait for the one that does it. Throws when
 * the database is of a newer version than this program.
 */
export async function migrate({ database, log }: { database: Database; log: Logger }): Promise<void> {
  const client = await database.connect({ statementMillis: migrationMillis });
  const connection = {
    query: (text: string, values: readonly unknown[]) => client.query(text, [...values]),
    release: () => {},
  } as unknown as PostgresPoolClient;
  const kysely = new Kysely<unknown>({
    dialect: new PostgresDialect({ pool: { connect: async () => connection, end: async () => {}, options: {} } }),
  });
  try {
    const migrator = new Migrator({
      db: kysely,
      provider: { getMigrations: async () => ({ ...migrations }) },
      migrationTableName: 'migration',
      migrationLockTableName: 'migration_lock',
    });
    const { error, results = [] } = await migrator.migrateToLatest();
    for (const { migrationName, status } of results) log.info({ migration: migrationName, status }, 'migration');
    if (error !== undefined) throw error;
  } finally {
    await kysely.destroy();
    await client.end();
  }
}
