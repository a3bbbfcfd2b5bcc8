import { type Kysely, sql } from 'kysely';

/** Clusters of GKE share a name when they are in different projects or locations. */
export async function clustersOfGke(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}

const statements = [
  `CREATE FUNCTION place_of_cluster(driver text, config jsonb) RETURNS text LANGUAGE sql IMMUTABLE
    RETURN CASE WHEN driver = 'gke'
      THEN (config ->> 'projectName') || '/' || COALESCE(config ->> 'zone', config ->> 'region')
      ELSE '' END`,
  `ALTER TABLE runtime ADD COLUMN cluster_place text NOT NULL
    GENERATED ALWAYS AS (place_of_cluster(driver, cluster_config)) STORED`,
  `COMMENT ON COLUMN runtime.cluster_place IS
    'Within which the name of the cluster is unique: project and location of GKE; empty for Gardener.'`,
  'DROP INDEX runtime_cluster_name',
  'CREATE UNIQUE INDEX runtime_cluster_name ON runtime (driver, cluster_name, cluster_place) WHERE deleted_at IS NULL',
];
