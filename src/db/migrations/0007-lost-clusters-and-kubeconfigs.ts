import { type Kysely, sql } from 'kysely';

/** Runtimes whose cluster somebody else deleted, and kubeconfigs that are used until half their life is over. */
export async function lostClustersAndKubeconfigs(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
  for (const [subject, comment] of Object.entries(comments)) {
    await sql`COMMENT ON ${sql.raw(subject)} IS ${sql.lit(comment)}`.execute(database);
  }
}

const statements = [
  'ALTER TABLE runtime ADD COLUMN lost_at timestamptz',
  'ALTER TABLE runtime_listing ADD COLUMN lost boolean NOT NULL DEFAULT false',
  `CREATE FUNCTION list_lost_runtime() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE runtime_listing SET lost = NEW.lost_at IS NOT NULL WHERE runtime_id = NEW.id;
    RETURN NULL;
  END $$`,
  `CREATE TRIGGER runtime_listing_follows_loss AFTER UPDATE ON runtime FOR EACH ROW
    WHEN ((OLD.lost_at IS NULL) <> (NEW.lost_at IS NULL)) EXECUTE FUNCTION list_lost_runtime()`,
  'CREATE INDEX runtime_listing_lost ON runtime_listing (tenant, created_at, runtime_id) WHERE lost',
  `CREATE TABLE kept_kubeconfig (
    runtime_id uuid NOT NULL REFERENCES runtime (id) ON DELETE CASCADE,
    role text NOT NULL CHECK (role IN ('admin', 'viewer')),
    lifetime_seconds integer NOT NULL,
    version text NOT NULL,
    kubeconfig text NOT NULL,
    issued_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (runtime_id, role)
  )`,
  `CREATE FUNCTION forget_kubeconfigs() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    DELETE FROM kept_kubeconfig WHERE runtime_id = NEW.id;
    RETURN NULL;
  END $$`,
  `CREATE TRIGGER kubeconfigs_go_with_cluster AFTER UPDATE ON runtime FOR EACH ROW
    WHEN (NEW.deleted_at IS NOT NULL AND OLD.deleted_at IS NULL OR NEW.lost_at IS NOT NULL AND OLD.lost_at IS NULL)
    EXECUTE FUNCTION forget_kubeconfigs()`,
];

/** What a name alone does not say; printed into docs/schema.md. */
const comments: Readonly<Record<string, string>> = {
  'COLUMN runtime.lost_at': 'Since when its cluster is known to be gone, and not through us.',
  'COLUMN runtime_listing.lost': 'As on the Runtime.',
  'TABLE kept_kubeconfig':
    'Kubeconfigs that were issued and may be answered again until half their life is over; removed then.',
  'COLUMN kept_kubeconfig.lifetime_seconds': 'As it was asked for; the provider may have granted less.',
  'COLUMN kept_kubeconfig.version': 'Of what makes kubeconfigs useless: operations, and credentials that are rotated.',
  'COLUMN kept_kubeconfig.kubeconfig': 'Encrypted for this row.',
};
