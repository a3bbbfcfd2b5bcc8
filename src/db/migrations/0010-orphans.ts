import { type Kysely, sql } from 'kysely';

/** What is left outside without a Runtime, and the mark by which this installation knows what it has made. */
export async function orphans(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
  for (const [subject, comment] of Object.entries(comments)) {
    await sql`COMMENT ON ${sql.raw(subject)} IS ${sql.lit(comment)}`.execute(database);
  }
}

const statements = [
  `CREATE TABLE installation (
    single boolean PRIMARY KEY DEFAULT true CHECK (single),
    id uuid NOT NULL DEFAULT gen_random_uuid()
  )`,
  'INSERT INTO installation DEFAULT VALUES',
  `CREATE TABLE orphan_search (
    source text NOT NULL,
    scope text NOT NULL,
    due_at timestamptz NOT NULL DEFAULT now(),
    searched_at timestamptz,
    problem text,
    PRIMARY KEY (source, scope)
  )`,
  `CREATE TABLE orphan (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    source text NOT NULL,
    scope text NOT NULL,
    uid text NOT NULL,
    name text NOT NULL,
    place text NOT NULL,
    runtime_id uuid NOT NULL,
    tenant_mark text,
    reason text NOT NULL,
    created_at timestamptz,
    found_at timestamptz NOT NULL DEFAULT now(),
    removal_requested_at timestamptz,
    gone_at timestamptz,
    problem text,
    CONSTRAINT orphan_is_found_once UNIQUE (source, uid)
  )`,
  'CREATE INDEX orphan_of_tenant ON orphan (tenant_mark, found_at, id) WHERE gone_at IS NULL',
  'CREATE INDEX orphan_in_scope ON orphan (source, scope) WHERE gone_at IS NULL',
];

/** What a name alone does not say; printed into docs/schema.md. */
const comments: Readonly<Record<string, string>> = {
  'TABLE installation': 'Which installation of this service the database belongs to; one row.',
  'COLUMN installation.id': 'Written on what is made outside, so that two installations are told apart.',
  'TABLE orphan_search': 'Where the outside world is searched for what belongs to no Runtime, and how far that is.',
  'COLUMN orphan_search.source': '`gardener`, `gke` or `director`.',
  'COLUMN orphan_search.scope':
    'Empty for Gardener; Secret and project, with a slash, for GKE; the tenant for the Director.',
  'COLUMN orphan_search.due_at': 'When it is searched next; set ahead by the replica that does it.',
  'COLUMN orphan_search.searched_at': 'When it was last searched as a whole.',
  'COLUMN orphan_search.problem': 'Why it cannot be searched now.',
  'TABLE orphan':
    'What was found outside with the mark of this service and belongs to no Runtime. Kept for 30 days after it is gone.',
  'COLUMN orphan.uid': 'Tells it from another one of its name.',
  'COLUMN orphan.place': 'Within which its name is unique, as in `runtime.cluster_place`.',
  'COLUMN orphan.runtime_id': 'The Runtime that it was made for, as its mark says; often there is no such row.',
  'COLUMN orphan.tenant_mark': 'Of the tenant that it was made for, hashed; none when that is not known.',
  'COLUMN orphan.removal_requested_at': 'It is removed from then on, for as long as it takes.',
  'COLUMN orphan.gone_at': 'When it was found to be gone, or not to be an orphan any more.',
  'COLUMN orphan.problem': 'Why it could not be removed yet.',
};
