import type { ClusterObservation } from '../clusters/cluster-driver.ts';
import { clusterOrder } from '../clusters/cluster-order.ts';
import { describeSleep, sleepAdvice } from '../clusters/describe-sleep.ts';
import { operationInProgress } from '../db/queries/accept-operation.ts';
import { Failure } from '../domain/failures.ts';
import type { Operation } from '../domain/operation.ts';
import type { Runtime } from '../domain/runtime.ts';
import type { RequestContext } from './context.ts';
import type { ApiDependencies } from './dependencies.ts';

/** How long a caller is kept waiting for the provider, in milliseconds. */
const lookTimeout = 8_000;

/**
 * Throws unless the Runtime was made completely and its cluster is awake. A cluster that is being changed is waited for
 * by the operation itself, and so is a provider that does not answer.
 */
export async function checkUpgradable({
  dependencies: { drivers },
  context,
  runtime,
  lastOperation,
}: {
  dependencies: ApiDependencies;
  context: RequestContext;
  runtime: Runtime;
  lastOperation: Operation;
}): Promise<void> {
  const { kind, state, id } = lastOperation;
  if (state === 'InProgress') throw operationInProgress(runtime.id, lastOperation);
  const refuse = (code: 'HIBERNATED' | 'CLUSTER_LOST' | 'RUNTIME_NOT_READY', reason: string) =>
    new Failure(code, `cannot upgrade Runtime ${runtime.id}: ${reason}`);
  if (kind === 'Provision' && state === 'Failed') {
    throw refuse('RUNTIME_NOT_READY', `its provisioning ${id} failed; retry that operation first`);
  }
  if (kind === 'Deprovision') {
    throw refuse('RUNTIME_NOT_READY', `its deprovisioning ${id} failed, and part of it is gone; deprovision it again`);
  }
  const seen = await look();
  if (seen === undefined) return;
  const sleep = seen.hibernation && describeSleep(seen.hibernation);
  if (seen.hibernation && sleep !== undefined) {
    throw refuse('HIBERNATED', `its cluster ${sleep}; ${sleepAdvice(seen.hibernation)}`);
  }
  if (seen.state === 'absent') throw refuse('CLUSTER_LOST', 'its cluster does not exist any more; deprovision it');
  if (seen.state === 'deleting') throw refuse('RUNTIME_NOT_READY', 'its cluster is being deleted');
  if (seen.state === 'failed') {
    throw refuse('RUNTIME_NOT_READY', `its cluster is not well: ${seen.failure.message}`);
  }

  async function look(): Promise<ClusterObservation | undefined> {
    try {
      return await drivers[runtime.cluster.driver].observe(clusterOrder(runtime), AbortSignal.timeout(lookTimeout));
    } catch (error) {
      if (error instanceof Failure) throw error;
      context.log.warn({ err: error, runtimeId: runtime.id }, 'an upgrade is accepted without a look at the cluster');
      return undefined;
    }
  }
}
