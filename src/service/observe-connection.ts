import type { ConnectionObservation, RuntimeAgent } from '../agent/runtime-agent.ts';
import type { ConnectedRuntime } from '../api/dependencies.ts';
import type { ClusterAccess } from '../clusters/cluster-access.ts';
import { clusterOrder } from '../clusters/cluster-order.ts';
import type { Director } from '../director/director.ts';
import { Failure } from '../domain/failures.ts';

/** Shorter than the callers of a status wait, in milliseconds. */
const patienceWithDirector = 1_000;

/**
 * The connection of a Runtime's agent as both of its ends see it: what the cluster's CompassConnection says, unless the
 * Director does not know the Runtime, in which case nothing can be connected. A Director that does not answer has no say.
 */
export async function observeConnection({
  runtime,
  access,
  agent,
  director,
  signal,
}: {
  runtime: ConnectedRuntime;
  access: ClusterAccess;
  agent: RuntimeAgent;
  director: Director;
  signal: AbortSignal;
}): Promise<ConnectionObservation> {
  const [inCluster, isKnown] = await Promise.all([
    access
      .client(clusterOrder(runtime), signal)
      .then((cluster) => agent.observe({ cluster, kyma: runtime.kyma, signal })),
    isKnownToDirector(),
  ]);
  if (isKnown) return inCluster;
  const error = `the Director does not know the Runtime ${runtime.id} in tenant ${runtime.tenant}`;
  return { state: 'disconnected', message: 'Runtime Agent cannot be connected', error };

  async function isKnownToDirector(): Promise<boolean> {
    try {
      const call = { tenant: runtime.tenant, signal, patience: patienceWithDirector };
      return (await director.runtime(runtime.id, call)) !== undefined;
    } catch (error) {
      return !(error instanceof Failure && error.code === 'DIRECTOR_TENANT_INVALID');
    }
  }
}
