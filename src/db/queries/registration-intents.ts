import { sql } from 'kysely';
import type { Tenant } from '../../domain/ids.ts';
import type { Database } from '../database.ts';
import { statement } from '../statement.ts';

/** The word, given before the fact, that a Runtime is about to be registered in the Director. */
export interface RegistrationIntentRow {
  readonly id: string;
  readonly tenant: Tenant;
  readonly recordedAt: Date;
}

const recordIntent = statement(
  'record-registration-intent',
  'INSERT INTO registration_intent (id, tenant) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING',
);

/** How long a sweeper has an abandoned intent to itself. */
const claimSeconds = 60;

/** Durable when it answers. The same intent again changes nothing. */
export async function recordRegistrationIntent(options: {
  readonly database: Database;
  readonly intent: Pick<RegistrationIntentRow, 'id' | 'tenant'>;
}): Promise<void> {
  const { database, intent } = options;
  await database.run(recordIntent, [intent.id, intent.tenant]);
}

/** Ends an intent that left nothing behind. One that has ended is fine. */
export async function settleRegistrationIntent(options: {
  readonly database: Database;
  readonly intentId: string;
}): Promise<void> {
  const { database, intentId } = options;
  await database.kysely.deleteFrom('registration_intent').where('id', '=', intentId).execute();
}

/**
 * Claims the intents that were recorded more than `olderThanMillis` ago (by the database's clock). From then on
 * `acceptProvision` refuses them, and no other replica gets them for a minute.
 */
export async function abandonedRegistrationIntents(options: {
  readonly database: Database;
  readonly olderThanMillis: number;
}): Promise<readonly RegistrationIntentRow[]> {
  const { database, olderThanMillis } = options;
  const { rows } = await sql<{ id: string; tenant: string; recorded_at: Date }>`
    UPDATE registration_intent SET claimed_until = now() + ${claimSeconds} * interval '1 second'
    WHERE id IN (
      SELECT id FROM registration_intent
      WHERE recorded_at < now() - ${olderThanMillis} * interval '1 millisecond'
        AND (claimed_until IS NULL OR claimed_until < now())
      ORDER BY recorded_at LIMIT 100
      FOR UPDATE SKIP LOCKED)
    RETURNING id, tenant, recorded_at`.execute(database.kysely);
  return rows.map((row) => ({ id: row.id, tenant: row.tenant as Tenant, recordedAt: row.recorded_at }));
}
