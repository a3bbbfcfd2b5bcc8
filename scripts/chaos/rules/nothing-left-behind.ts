import type { History, OperationRecord, RuntimeRecord } from '../history.ts';

/**
 * A Runtime that was made has one cluster, one entry in the Director and, with Kyma, one agent that knows who it is. One
 * that was only begun has at most that; one that is deleted has nothing. Nothing else exists.
 */
export function nothingLeftBehind(history: History): readonly string[] {
  const { runtimes, operations, outside, intents } = history;
  const { clusters, entries, cloudResources } = outside;
  const byRuntime = Map.groupBy(operations, ({ runtimeId }) => runtimeId);
  const broken = runtimes.flatMap((runtime) => {
    const { id, name, driver, clusterName } = runtime;
    const own = clusters.filter(({ owner }) => owner === id);
    const named = clusters.filter((cluster) => cluster.driver === driver && cluster.name === clusterName);
    const registered = entries.filter((entry) => entry.id === id || entry.name === name);
    const agents = own.filter(({ agent }) => agent === id);
    const counts = { clusters: own.length, entries: registered.length, agents: agents.length };
    const { least, most } = expected(runtime, byRuntime.get(id) ?? []);
    const wrong = Object.entries(counts).filter(([what, count]) => {
      return count < least[what as keyof Counts] || count > most[what as keyof Counts];
    });
    const foreign = named.filter(({ owner }) => owner !== id);
    return [
      ...wrong.map(
        ([what, count]) => `Runtime ${id} (${name}, ${describe(runtime, byRuntime.get(id))}) has ${count} ${what}`,
      ),
      ...foreign.map(({ owner }) => `cluster ${clusterName} of Runtime ${id} bears the mark of ${owner}`),
    ];
  });
  const ids = new Set(runtimes.map(({ id }) => id));
  const names = new Set(runtimes.map(({ name }) => name));
  return [
    ...broken,
    ...clusters
      .filter(({ owner }) => owner === undefined || !ids.has(owner))
      .map(
        ({ driver, name, owner }) => `${driver} has the cluster ${name} of ${owner ?? 'nobody'}, which is not stored`,
      ),
    ...entries
      .filter(({ id, name }) => !ids.has(id) && !names.has(name))
      .map(({ id, name }) => `the Director has an entry ${id} (${name}) that is not stored`),
    ...(cloudResources > 0 ? [`${cloudResources} load balancers or disks are left`] : []),
    ...(intents > 0 ? [`${intents} registrations are not settled`] : []),
  ];
}

interface Counts {
  readonly clusters: number;
  readonly entries: number;
  readonly agents: number;
}

const none: Counts = { clusters: 0, entries: 0, agents: 0 };
const one: Counts = { clusters: 1, entries: 1, agents: 1 };

function expected(
  { deleted, hasKyma }: RuntimeRecord,
  own: readonly OperationRecord[],
): { least: Counts; most: Counts } {
  if (deleted) return { least: none, most: none };
  const begun = own.some(({ kind }) => kind === 'Deprovision');
  const made = own.some(({ kind, state }) => kind === 'Provision' && state === 'Succeeded');
  const agents = hasKyma ? 1 : 0;
  const most = { ...one, agents };
  // Until it is unregistered, at the end of its deprovisioning, it is in the Director.
  return made && !begun ? { least: most, most } : { least: begun ? none : { ...none, entries: 1 }, most };
}

function describe({ deleted }: RuntimeRecord, own: readonly OperationRecord[] = []): string {
  const last = own.at(-1);
  return `${deleted ? 'deleted' : 'living'}; last operation ${last?.kind} ${last?.state}`;
}
