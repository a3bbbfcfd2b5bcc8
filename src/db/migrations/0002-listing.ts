import { type Kysely, sql } from 'kysely';

/**
 * What lists of Runtimes and operations need, kept by triggers: so it is right whichever version writes, and no statement
 * of the engine takes a lock that it did not take before.
 */
export async function listing(database: Kysely<unknown>): Promise<void> {
  for (const statement of [...operations, ...runtimes]) await sql.raw(statement).execute(database);
  for (const [subject, comment] of Object.entries(comments)) {
    await sql`COMMENT ON ${sql.raw(subject)} IS ${sql.lit(comment)}`.execute(database);
  }
}

/** The copied columns never change on a Runtime. The index holds all that operations are filtered by. */
const operations = [
  'ALTER TABLE operation ADD COLUMN tenant text, ADD COLUMN provider text, ADD COLUMN region text',
  `CREATE FUNCTION copy_runtime_to_operation() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    SELECT tenant, provider, region INTO NEW.tenant, NEW.provider, NEW.region FROM runtime WHERE id = NEW.runtime_id;
    RETURN NEW;
  END $$`,
  `CREATE TRIGGER operation_copies_runtime BEFORE INSERT ON operation
    FOR EACH ROW EXECUTE FUNCTION copy_runtime_to_operation()`,
  `UPDATE operation SET tenant = runtime.tenant, provider = runtime.provider, region = runtime.region
    FROM runtime WHERE runtime.id = operation.runtime_id`,
  `ALTER TABLE operation
    ALTER COLUMN tenant SET NOT NULL, ALTER COLUMN provider SET NOT NULL, ALTER COLUMN region SET NOT NULL`,
  `CREATE INDEX operation_listed ON operation (tenant, started_at, id)
    INCLUDE (state, kind, stage, provider, region)`,
  // Few are anywhere but at their end.
  `CREATE INDEX operation_listed_unfinished ON operation (tenant, stage, started_at) WHERE stage <> 'Finished'`,
];

/** Narrow rows of their own: where no index fits a filter, all of a tenant's are read, which must stay cheap. */
const runtimes = [
  `CREATE TABLE runtime_listing (
    runtime_id uuid PRIMARY KEY REFERENCES runtime (id) ON DELETE CASCADE,
    tenant text NOT NULL,
    created_at timestamptz NOT NULL,
    deleted boolean NOT NULL,
    name text NOT NULL,
    labels jsonb NOT NULL,
    provider text NOT NULL,
    region text NOT NULL,
    kubernetes_version text,
    kyma_version text,
    operation_kind text,
    operation_state text
  ) WITH (fillfactor = 90)`,
  `CREATE FUNCTION list_runtime() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO runtime_listing (runtime_id, tenant, created_at, deleted, name, labels, provider, region,
      kubernetes_version, kyma_version)
    VALUES (NEW.id, NEW.tenant, NEW.created_at, NEW.deleted_at IS NOT NULL, NEW.name, NEW.labels, NEW.provider,
      NEW.region, NEW.kubernetes_version, NEW.kyma_version)
    ON CONFLICT (runtime_id) DO UPDATE SET deleted = excluded.deleted, name = excluded.name, labels = excluded.labels,
      kubernetes_version = excluded.kubernetes_version, kyma_version = excluded.kyma_version;
    RETURN NULL;
  END $$`,
  `CREATE TRIGGER runtime_is_listed AFTER INSERT ON runtime FOR EACH ROW EXECUTE FUNCTION list_runtime()`,
  `CREATE TRIGGER runtime_listing_follows AFTER UPDATE ON runtime FOR EACH ROW
    WHEN ((OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL)
      OR (OLD.name, OLD.labels, OLD.kubernetes_version, OLD.kyma_version)
        IS DISTINCT FROM (NEW.name, NEW.labels, NEW.kubernetes_version, NEW.kyma_version))
    EXECUTE FUNCTION list_runtime()`,
  // Only the newest operation of a Runtime is ever in progress, so only the newest changes its state.
  `CREATE FUNCTION list_newest_operation() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE runtime_listing SET operation_kind = NEW.kind, operation_state = NEW.state WHERE runtime_id = NEW.runtime_id;
    RETURN NULL;
  END $$`,
  `CREATE TRIGGER operation_is_listed AFTER INSERT ON operation
    FOR EACH ROW EXECUTE FUNCTION list_newest_operation()`,
  `CREATE TRIGGER operation_listing_follows AFTER UPDATE ON operation FOR EACH ROW
    WHEN (OLD.state <> NEW.state) EXECUTE FUNCTION list_newest_operation()`,
  `INSERT INTO runtime_listing
    SELECT runtime.id, tenant, created_at, deleted_at IS NOT NULL, name, labels, provider, region,
      kubernetes_version, kyma_version, newest.kind, newest.state
    FROM runtime LEFT JOIN LATERAL (
      SELECT kind, state FROM operation WHERE runtime_id = runtime.id ORDER BY sequence DESC LIMIT 1
    ) newest ON true`,
  'DROP INDEX runtime_of_tenant',
  'CREATE INDEX runtime_listed ON runtime_listing (tenant, created_at, runtime_id)',
  'CREATE INDEX runtime_listed_alive ON runtime_listing (tenant, created_at, runtime_id) WHERE NOT deleted',
  // For values that few have, or none: without them, finding that out takes reading all of a tenant's rows.
  'CREATE INDEX runtime_listing_operation ON runtime_listing (tenant, operation_state, operation_kind, created_at)',
  'CREATE INDEX runtime_listing_place ON runtime_listing (tenant, provider, region, created_at)',
  'CREATE INDEX runtime_listing_versions ON runtime_listing (tenant, kyma_version, kubernetes_version, created_at)',
  // A name and a label may be longer than an ordered index takes.
  'CREATE INDEX runtime_listing_name ON runtime_listing USING hash (name)',
  'CREATE INDEX runtime_listing_labels ON runtime_listing USING gin (labels jsonb_path_ops)',
  // So that the planner knows which operations those that are deleted have had, and no others.
  'CREATE STATISTICS runtime_listing_life (mcv) ON deleted, operation_kind, operation_state FROM runtime_listing',
];

/** What a name alone does not say; printed into docs/schema.md. */
const comments: Readonly<Record<string, string>> = {
  'TABLE runtime_listing': 'What Runtimes are listed by: one narrow row each, kept by triggers and written by nobody.',
  'COLUMN runtime_listing.operation_kind': 'Of the newest operation.',
  'COLUMN runtime_listing.operation_state': 'Of the newest operation.',
  'COLUMN operation.tenant': 'As on the Runtime; copied by a trigger, as provider and region are.',
};
