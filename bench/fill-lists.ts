import type { Client } from 'pg';

export interface Filled {
  readonly runtimes: number;
  readonly operations: number;
}

/**
 * Stores `count` Runtimes, one a minute up to now, as years of use leave them: nine in ten belong to the tenant `big`,
 * one in twenty is deprovisioned, one in three was upgraded, one in a hundred is broken.
 */
export async function fillLists({ client, count }: { client: Client; count: number }): Promise<Filled> {
  await client.query(insertRuntimes, [count]);
  await client.query(insertProvisions);
  await client.query(insertLaterOperations);
  await client.query(insertEvents);
  // As autovacuum does in time.
  await client.query('VACUUM (ANALYZE)');
  const { rows } = await client.query<Filled>(
    'SELECT (SELECT count(*)::int FROM runtime) AS runtimes, (SELECT count(*)::int FROM operation) AS operations',
  );
  return rows[0] ?? { runtimes: 0, operations: 0 };
}

/** Rows of a usual width: configurations of about one kilobyte, a plan of two that lists leave alone. */
const insertRuntimes = `
  INSERT INTO runtime (id, tenant, name, description, labels, registration, driver, cluster_name, cluster_config,
    provider, region, kubernetes_version, kyma_installer, kyma_version, kyma_config, kyma_plan, administrators,
    created_at, deleted_at)
  SELECT gen_random_uuid(), CASE WHEN n % 10 = 0 THEN 'small-' || n / 10 % 10 ELSE 'big' END, 'runtime-' || n, 'a Runtime',
    jsonb_build_object('team', 'team-' || n % 500, 'env', CASE WHEN n % 2 = 0 THEN 'prod' ELSE 'dev' END, 'number', n),
    'ours', 'gardener', 'c-' || n,
    jsonb_build_object('name', 'c-' || n, 'provider', provider, 'region', region, 'kubernetesVersion', kubernetes,
      'machineType', 'n2-standard-4', 'targetSecret', 'credentials', 'workerCidr', '10.250.0.0/22', 'autoScalerMin', 2,
      'autoScalerMax', 4, 'maxSurge', 1, 'maxUnavailable', 0, 'licenceType', repeat(md5(n::text), 16),
      'providerSpecificConfig', jsonb_build_object('gcpConfig', jsonb_build_object('zones', jsonb_build_array('a')))),
    provider, region, kubernetes, 'modules', kyma,
    jsonb_build_object('version', kyma, 'components', (
      SELECT jsonb_agg(jsonb_build_object('component', 'module-' || m, 'namespace', 'kyma-system', 'configuration',
        jsonb_build_array(jsonb_build_object('key', 'global.value', 'value', md5(m::text)))))
      FROM generate_series(1, 6) m)),
    jsonb_build_object('objects', (SELECT jsonb_agg(md5((n * m)::text)) FROM generate_series(1, 60) m)),
    '{}', now() - ($1::int - n) * interval '1 minute', CASE WHEN n % 20 = 0 THEN now() END
  FROM generate_series(1, $1::int) n, LATERAL (
    SELECT (ARRAY['gcp', 'azure', 'aws'])[1 + n % 3] AS provider, 'region-' || n % 40 AS region, '1.3' || n % 4 AS kubernetes,
      '1.' || n % 12 AS kyma
  ) chosen`;

const insertProvisions = `
  INSERT INTO operation (id, runtime_id, kind, state, stage, message, started_at, ended_at)
  SELECT gen_random_uuid(), id, 'Provision', 'Succeeded', 'Finished', 'Operation succeeded.', created_at, created_at
  FROM runtime ORDER BY created_at`;

/** Those in progress wait for a day that does not come, so that the service leaves them alone. */
const insertLaterOperations = `
  INSERT INTO operation (id, runtime_id, kind, state, stage, message, started_at, ended_at, next_look)
  SELECT gen_random_uuid(), id, kind, state, CASE WHEN running THEN 'WaitingForInstallation' ELSE 'Finished' END,
    'as it went', started_at, CASE WHEN NOT running THEN started_at END, now() + interval '10 years'
  FROM (
    SELECT id, deleted_at IS NOT NULL AS gone, created_at + interval '1 hour' AS started_at,
      row_number() OVER (ORDER BY created_at) AS n
    FROM runtime
  ) runtime, LATERAL (
    SELECT NOT gone AND n % 1000 = 7 AS running, CASE WHEN gone THEN 'Deprovision' ELSE 'Upgrade' END AS kind,
      CASE WHEN gone THEN 'Succeeded' WHEN n % 1000 = 7 THEN 'InProgress' WHEN n % 100 = 3 THEN 'Failed'
        ELSE 'Succeeded' END AS state
  ) chosen
  WHERE gone OR running OR state = 'Failed' OR n % 3 = 0
  ORDER BY started_at`;

const insertEvents = `
  INSERT INTO operation_event (operation_id, sequence, type, stage, message)
  SELECT id, n, CASE WHEN n = 1 THEN 'Accepted' ELSE 'Waiting' END, stage, 'what happened'
  FROM operation, generate_series(1, 3) n`;
