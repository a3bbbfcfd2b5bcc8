import { type Kysely, sql } from 'kysely';

/** Runtimes, their operations with history, the replicas that work on them, and intents to register. */
export async function runtimesAndOperations(database: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE runtime (
      id uuid PRIMARY KEY,
      tenant text NOT NULL CHECK (tenant <> ''),
      sub_account text,
      name text NOT NULL,
      description text,
      labels jsonb NOT NULL,
      registration text NOT NULL CHECK (registration IN ('ours', 'callers', 'none')),
      driver text NOT NULL CHECK (driver IN ('gardener')),
      cluster_name text NOT NULL,
      cluster_config jsonb NOT NULL,
      cluster_config_version integer NOT NULL DEFAULT 1,
      provider text NOT NULL,
      region text NOT NULL,
      kubernetes_version text,
      domain text,
      seed text,
      kyma_installer text CHECK (kyma_installer IN ('modules')),
      kyma_version text,
      kyma_config jsonb,
      kyma_plan jsonb,
      administrators text[] NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now(),
      updated_at timestamptz NOT NULL DEFAULT now(),
      deleted_at timestamptz,
      CONSTRAINT runtime_kyma_is_whole CHECK (num_nulls(kyma_installer, kyma_version, kyma_config) IN (0, 3))
    )`.execute(database);
  await sql`CREATE UNIQUE INDEX runtime_cluster_name ON runtime (driver, cluster_name) WHERE deleted_at IS NULL`.execute(
    database,
  );
  await sql`CREATE INDEX runtime_of_tenant ON runtime (tenant, created_at, id)`.execute(database);

  await sql`
    CREATE TABLE operation (
      id uuid PRIMARY KEY,
      sequence bigint GENERATED ALWAYS AS IDENTITY,
      runtime_id uuid NOT NULL REFERENCES runtime (id),
      kind text NOT NULL CHECK (kind IN
        ('Provision', 'Upgrade', 'UpgradeShoot', 'Hibernate', 'WakeUp', 'ReconnectRuntime', 'Deprovision')),
      state text NOT NULL DEFAULT 'InProgress' CHECK (state IN ('InProgress', 'Succeeded', 'Failed')),
      stage text NOT NULL,
      stage_started_at timestamptz NOT NULL DEFAULT now(),
      attempt integer NOT NULL DEFAULT 0,
      looks integer NOT NULL DEFAULT 0,
      failures integer NOT NULL DEFAULT 0,
      message text NOT NULL,
      progress smallint CHECK (progress BETWEEN 0 AND 100),
      notes jsonb NOT NULL DEFAULT '{}',
      last_error jsonb,
      owner uuid,
      next_look timestamptz NOT NULL DEFAULT now(),
      wake_key text,
      wake_seq bigint NOT NULL DEFAULT 0,
      revision integer NOT NULL DEFAULT 0,
      event_count integer NOT NULL DEFAULT 0,
      started_at timestamptz NOT NULL DEFAULT now(),
      updated_at timestamptz NOT NULL DEFAULT now(),
      ended_at timestamptz,
      CONSTRAINT operation_ends_once CHECK ((state = 'InProgress') = (ended_at IS NULL)),
      CONSTRAINT operation_ended_has_no_owner CHECK (state = 'InProgress' OR owner IS NULL)
    ) WITH (fillfactor = 70)`.execute(database);
  await sql`
    CREATE UNIQUE INDEX operation_one_in_progress ON operation (runtime_id) WHERE state = 'InProgress'`.execute(
    database,
  );
  await sql`CREATE UNIQUE INDEX operation_newest ON operation (runtime_id, sequence)`.execute(database);
  await sql`
    CREATE INDEX operation_due ON operation (next_look) WHERE state = 'InProgress' AND owner IS NULL`.execute(database);
  await sql`CREATE INDEX operation_owned ON operation (owner) WHERE owner IS NOT NULL`.execute(database);
  await sql`
    CREATE INDEX operation_wake_key ON operation (wake_key)
      WHERE state = 'InProgress' AND wake_key IS NOT NULL`.execute(database);

  await sql`
    CREATE TABLE operation_event (
      operation_id uuid NOT NULL REFERENCES operation (id),
      sequence integer NOT NULL CHECK (sequence > 0),
      at timestamptz NOT NULL DEFAULT now(),
      type text NOT NULL CHECK (type IN ('Accepted', 'StageStarted', 'StageSkipped', 'Waiting', 'Retrying', 'StageDone',
        'StageTimedOut', 'Succeeded', 'Failed')),
      stage text NOT NULL,
      message text NOT NULL,
      progress smallint CHECK (progress BETWEEN 0 AND 100),
      error jsonb,
      PRIMARY KEY (operation_id, sequence)
    )`.execute(database);

  await sql`
    CREATE TABLE replica (
      id uuid PRIMARY KEY,
      host text NOT NULL,
      process integer NOT NULL,
      started_at timestamptz NOT NULL DEFAULT now(),
      seen timestamptz NOT NULL DEFAULT now()
    ) WITH (fillfactor = 50)`.execute(database);

  await sql`
    CREATE TABLE registration_intent (
      id uuid PRIMARY KEY,
      tenant text NOT NULL,
      recorded_at timestamptz NOT NULL DEFAULT now(),
      claimed_until timestamptz
    )`.execute(database);
  await sql`CREATE INDEX registration_intent_recorded_at ON registration_intent (recorded_at)`.execute(database);

  for (const [subject, comment] of Object.entries(comments)) {
    await sql`COMMENT ON ${sql.raw(subject)} IS ${sql.lit(comment)}`.execute(database);
  }
}

/** What a name alone does not say; printed into docs/schema.md. */
const comments: Readonly<Record<string, string>> = {
  'TABLE runtime': 'A Kubernetes cluster with Kyma. Kept after it is deleted, with its history.',
  'COLUMN runtime.tenant': 'Whose it is; every query asks for it.',
  'COLUMN runtime.registration': 'Who registered it in the Director.',
  'COLUMN runtime.cluster_name': 'The name upstream, chosen before the first call that uses it.',
  'COLUMN runtime.cluster_config': 'As it came in, with defaults; only the driver opens it.',
  'COLUMN runtime.cluster_config_version': 'Of the shape of cluster_config.',
  'COLUMN runtime.kyma_config': 'As it came in; confidential entries are encrypted, each for its place.',
  'COLUMN runtime.kyma_plan': 'What the configuration was resolved to; only the installer opens it.',
  'TABLE operation': 'Something long done to a Runtime, and the unit of work: there is no other queue.',
  'COLUMN operation.sequence': 'The order in which operations were accepted.',
  'COLUMN operation.attempt': 'Grows with each claim. A commit must name the attempt that holds the operation.',
  'COLUMN operation.looks': 'Looks at the stage so far; they set the pace.',
  'COLUMN operation.failures': 'Throws in a row; they set the pause before the next try.',
  'COLUMN operation.notes': 'What stages wrote down for themselves. Holds no secret.',
  'COLUMN operation.last_error': 'Why it failed, or why it is being tried again.',
  'COLUMN operation.owner': 'The replica that runs it now; none while it waits.',
  'COLUMN operation.next_look': 'When it is due, while nobody runs it.',
  'COLUMN operation.wake_key': 'What outside makes it due at once when it changes.',
  'COLUMN operation.wake_seq': 'Wakes so far; a commit compares it with what its look began with.',
  'COLUMN operation.revision': 'Commits so far; a commit lands on the revision it was made for.',
  'COLUMN operation.event_count': 'The sequence of its newest event.',
  'TABLE operation_event': 'The history of operations: appended together with each change, never rewritten.',
  'TABLE replica': 'The processes that run operations. One that is not seen for ten seconds loses what it owns.',
  'TABLE registration_intent': 'Registrations in the Director that are not stored as a Runtime yet.',
  'COLUMN registration_intent.claimed_until': 'Set by the sweeper: it is being undone, nothing may be stored for it.',
};
