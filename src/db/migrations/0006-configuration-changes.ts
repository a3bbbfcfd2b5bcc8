import { type Kysely, sql } from 'kysely';

/**
 * What an operation is to make of a Runtime's configuration, and what that was before. The version before knows none of
 * it and goes on; the operations that need it, it does not claim.
 */
export async function configurationChanges(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
  for (const [subject, comment] of Object.entries(comments)) {
    await sql`COMMENT ON ${sql.raw(subject)} IS ${sql.lit(comment)}`.execute(database);
  }
}

const statements = [
  'ALTER TABLE runtime ADD COLUMN configuration_revision integer NOT NULL DEFAULT 0',
  'ALTER TABLE runtime DROP CONSTRAINT runtime_driver_check',
  `ALTER TABLE runtime ADD CONSTRAINT runtime_driver_check CHECK (driver IN ('gardener', 'gke')) NOT VALID`,
  'ALTER TABLE runtime DROP CONSTRAINT runtime_kyma_installer_check',
  `ALTER TABLE runtime ADD CONSTRAINT runtime_kyma_installer_check
    CHECK (kyma_installer IN ('modules', 'installer-cr')) NOT VALID`,
  `CREATE TABLE configuration_change (
    operation_id uuid PRIMARY KEY REFERENCES operation (id) ON DELETE CASCADE,
    before jsonb NOT NULL,
    after jsonb NOT NULL,
    adopted_at timestamptz,
    rolled_back_at timestamptz
  )`,
];

/** What a name alone does not say; printed into docs/schema.md. */
const comments: Readonly<Record<string, string>> = {
  'COLUMN runtime.configuration_revision': 'Grows with each change of the configuration.',
  'TABLE configuration_change':
    'What an operation is to change in the configuration of its Runtime: the parts that change, each whole.',
  'COLUMN configuration_change.before': 'As the Runtime had them; confidential entries are encrypted.',
  'COLUMN configuration_change.after': 'As it is to have them; confidential entries are encrypted.',
  'COLUMN configuration_change.adopted_at': 'Since when the Runtime has had them; nothing while it does not.',
  'COLUMN configuration_change.rolled_back_at': 'When the caller took it back.',
};
