import { type Kysely, sql } from 'kysely';

/** Files of Kyma releases, and the catalogue that lists them, for when their origins do not answer. */
export async function filesOfKyma(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
  for (const [subject, comment] of Object.entries(comments)) {
    await sql`COMMENT ON ${sql.raw(subject)} IS ${sql.lit(comment)}`.execute(database);
  }
}

const statements = [
  `CREATE TABLE kyma_artifact (
    sha256 text PRIMARY KEY CHECK (sha256 ~ '^[0-9a-f]{64}$'),
    content bytea NOT NULL,
    bytes integer NOT NULL GENERATED ALWAYS AS (octet_length(content)) STORED,
    used_at timestamptz NOT NULL DEFAULT now()
  )`,
  `CREATE TABLE kyma_catalogue (
    url text PRIMARY KEY,
    content text NOT NULL,
    etag text,
    fetched_at timestamptz NOT NULL DEFAULT now()
  )`,
];

/** What a name alone does not say; printed into docs/schema.md. */
const comments: Readonly<Record<string, string>> = {
  'TABLE kyma_artifact':
    'Files of Kyma releases, shared by all replicas. Those that were not used for longest make room for others.',
  'COLUMN kyma_artifact.sha256': 'As the catalogue names it; checked again whenever the content is used.',
  'COLUMN kyma_artifact.used_at': 'Correct to the hour.',
  'TABLE kyma_catalogue': 'The last good contents of catalogues that are read from an address.',
};
