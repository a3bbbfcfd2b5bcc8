import { existsSync, readFileSync } from 'node:fs';
import type pg from 'pg';
import type { Control } from '../../landscape/control/control.ts';
import type { EventRecord, OperationRecord, Outside, RuntimeRecord, SentRequest } from './history.ts';
import type { OwnershipChange } from './ownership-log.ts';

const runtimeMark = 'kcp.provisioner.kyma-project.io/runtime-id';
const runtimeLabel = 'kyma-runtime-id';

export async function readRuntimes(client: pg.Client): Promise<RuntimeRecord[]> {
  const { rows } = await client.query<RuntimeRecord>(`
    SELECT id, name, driver, cluster_name AS "clusterName", deleted_at IS NOT NULL AS deleted,
      kyma_version IS NOT NULL AS "hasKyma"
    FROM runtime ORDER BY created_at, id`);
  return rows;
}

/** With what the ownership log says of each. */
export async function readOperations(
  client: pg.Client,
  changes: readonly OwnershipChange[],
): Promise<OperationRecord[]> {
  const { rows } = await client.query<Omit<OperationRecord, 'appearedAt' | 'endings'>>(`
    SELECT id, runtime_id AS "runtimeId", kind, state, stage, message, event_count AS events,
      cancel_requested_at IS NOT NULL AS cancelled
    FROM operation ORDER BY sequence`);
  const byOperation = Map.groupBy(changes, ({ operationId }) => operationId);
  return rows.map((row) => {
    const own = byOperation.get(row.id) ?? [];
    const times = (what: OwnershipChange['what']) => own.filter((change) => change.what === what).map(({ at }) => at);
    return { ...row, appearedAt: times('appeared')[0] ?? Number.NaN, endings: times('ended') };
  });
}

export async function readEvents(client: pg.Client): Promise<EventRecord[]> {
  const { rows } = await client.query<EventRecord>(`
    SELECT operation_id AS "operationId", sequence, type, stage, message, position::float8 AS position,
      extract(epoch FROM at)::float8 * 1000 AS at
    FROM operation_event ORDER BY operation_id, sequence`);
  return rows;
}

export async function countIntents(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>('SELECT count(*)::int FROM registration_intent');
  return rows[0]?.count ?? 0;
}

/** The last line of a process that was killed may be cut off. */
export function readSentRequests(file: string): SentRequest[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return line === '' ? [] : [JSON.parse(line) as SentRequest];
      } catch {
        return [];
      }
    });
}

export function lookOutside(control: Control): Outside {
  const { shoots, clusters, directorRuntimes } = control.inventory();
  const google = control.googleInventory();
  const agentIn = (technicalId: string) => clusters.find((cluster) => cluster.technicalId === technicalId);
  return {
    clusters: [
      ...shoots.map(({ name, annotations }) => ({
        ...{ driver: 'gardener' as const, name, owner: annotations[runtimeMark] },
        agent: agentIn(`shoot--dev--${name}`)?.agentRuntimeId,
      })),
      ...google.clusters.map(({ name, labels, technicalId }) => ({
        ...{ driver: 'gke' as const, name, owner: labels[runtimeLabel], agent: agentIn(technicalId)?.agentRuntimeId },
      })),
    ],
    entries: directorRuntimes.map(({ id, name }) => ({ id, name })),
    cloudResources: google.resources.length,
  };
}
