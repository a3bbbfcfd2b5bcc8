import { type Kysely, sql } from 'kysely';

/**
 * Lets events be followed as they are committed. A trigger does it, so that it is done whichever version writes. Events
 * from before have neither column: no follower has begun before them.
 */
export async function liveUpdates(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
  for (const [subject, comment] of Object.entries(comments)) {
    await sql`COMMENT ON ${sql.raw(subject)} IS ${sql.lit(comment)}`.execute(database);
  }
}

const statements = [
  'ALTER TABLE operation_event ADD COLUMN transaction xid8, ADD COLUMN position bigint',
  `CREATE FUNCTION announce_operation_event() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.transaction := pg_current_xact_id();
    NEW.position := greatest(pg_current_xact_id()::text::bigint, (
      SELECT position FROM operation_event
      WHERE operation_id = NEW.operation_id AND sequence = NEW.sequence - 1
    ));
    PERFORM pg_notify('operation_event', NEW.operation_id::text);
    RETURN NEW;
  END $$`,
  `CREATE TRIGGER operation_event_is_announced BEFORE INSERT ON operation_event
    FOR EACH ROW EXECUTE FUNCTION announce_operation_event()`,
  `CREATE INDEX operation_event_followed ON operation_event (position, operation_id, sequence)
    WHERE position IS NOT NULL`,
];

/** What a name alone does not say; printed into docs/schema.md. */
const comments: Readonly<Record<string, string>> = {
  'COLUMN operation_event.transaction': 'That wrote it; set by a trigger. Tells whether a snapshot shows it.',
  'COLUMN operation_event.position':
    'The transaction as a number, or that of the event before in the operation when that is higher: a total order, with the operation and the sequence, in which no operation runs backwards.',
};
