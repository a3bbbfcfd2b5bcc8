import { type Kysely, sql } from 'kysely';

/** Operations that are cancelled, and operations that take up a failed one. The version before knows none of it and goes on. */
export async function cancelAndRetry(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
  for (const [subject, comment] of Object.entries(comments)) {
    await sql`COMMENT ON ${sql.raw(subject)} IS ${sql.lit(comment)}`.execute(database);
  }
}

const statements = [
  `ALTER TABLE operation
    ADD COLUMN cancel_requested_at timestamptz,
    ADD COLUMN cancel_residue text[] CONSTRAINT operation_cancelled_has_failed CHECK (state = 'Failed'
      OR cancel_residue IS NULL),
    ADD COLUMN retry_of uuid REFERENCES operation (id)`,
  'CREATE UNIQUE INDEX operation_retried_once ON operation (retry_of) WHERE retry_of IS NOT NULL',
  `CREATE INDEX operation_cancelling ON operation (owner)
    WHERE state = 'InProgress' AND cancel_requested_at IS NOT NULL`,
  'ALTER TABLE runtime ADD COLUMN creation_settles_at timestamptz',
  'ALTER TABLE operation_event DROP CONSTRAINT operation_event_type_check',
  `ALTER TABLE operation_event ADD CONSTRAINT operation_event_type_check CHECK (type IN ('Accepted', 'StageStarted',
    'StageSkipped', 'Waiting', 'Retrying', 'StageDone', 'StageTimedOut', 'Succeeded', 'Failed', 'CancelRequested',
    'Cancelled')) NOT VALID`,
];

/** What a name alone does not say; printed into docs/schema.md. */
const comments: Readonly<Record<string, string>> = {
  'COLUMN operation.cancel_requested_at': 'Whoever runs it ends it, unless it ends by itself before.',
  'COLUMN operation.cancel_residue':
    'Set when it ended because that was requested: what existed outside then, a line each; nothing when empty.',
  'COLUMN operation.retry_of': 'The failed operation that it takes up.',
  'COLUMN runtime.creation_settles_at':
    'A creation of the cluster was cut off: until then it may still take effect, so absence proves nothing.',
};
