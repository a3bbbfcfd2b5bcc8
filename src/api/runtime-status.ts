import type { ConnectionObservation } from '../agent/runtime-agent.ts';
import type { IssuedKubeconfig } from '../clusters/cluster-driver.ts';
import type { runtimeStatusReads, StoredRuntimeStatus } from '../db/queries/read-runtime-status.ts';
import { Failure } from '../domain/failures.ts';
import { parseRuntimeId, type RuntimeId } from '../domain/ids.ts';
import type { ConnectionObservations } from './connection-observations.ts';
import type { RequestContext } from './context.ts';
import type { RuntimeAgentConnectionStatus, RuntimeConnectionStatus } from './generated/schema.ts';
import type { Kubeconfigs, KubeconfigWish } from './kubeconfigs.ts';
import type { RuntimeView } from './views.ts';

export async function runtimeStatus({
  kubeconfigs,
  reads,
  context,
  id,
}: {
  kubeconfigs: Kubeconfigs;
  reads: ReturnType<typeof runtimeStatusReads>;
  context: RequestContext;
  id: string;
}): Promise<RuntimeView> {
  const { tenant } = context.caller();
  const runtimeId = parseRuntimeId(id);
  const found = await reads.read({ runtimeId, tenant });
  if (!found) throw runtimeNotFound(runtimeId);
  const answered = new Map<string, ReturnType<RuntimeView['kubeconfig']>>();
  return {
    ...found,
    kubeconfig: (wish) => {
      const key = `${wish.role} ${wish.lifetimeSeconds}`;
      const answer = answered.get(key) ?? findKubeconfig({ kubeconfigs, context, status: found, wish });
      answered.set(key, answer);
      return answer;
    },
  };
}

/** Also for a Runtime of another tenant: in the same words, so that nobody learns that it exists. */
export function runtimeNotFound(id: RuntimeId): Failure {
  return new Failure('NOT_FOUND', `Runtime ${id} not found`);
}

async function findKubeconfig({
  kubeconfigs,
  context,
  status,
  wish,
}: {
  kubeconfigs: Kubeconfigs;
  context: RequestContext;
  status: StoredRuntimeStatus;
  wish: KubeconfigWish;
}): Promise<IssuedKubeconfig | undefined> {
  const found = await kubeconfigs.find(status, wish);
  const { id: runtimeId, tenant } = status.runtime;
  const { role } = wish;
  if (found) context.log.info({ runtimeId, tenant, role, expiresAt: found.expiresAt }, 'kubeconfig answered');
  return found;
}

/** Answers in any case: a status that cannot be looked up must not hide the others. `sleepReason`: nothing can answer. */
export async function runtimeConnectionStatus({
  observations,
  sleepReason,
  view: { runtime, lastOperation },
}: {
  observations: ConnectionObservations;
  sleepReason: string | undefined;
  view: RuntimeView;
}): Promise<RuntimeConnectionStatus> {
  const { registration, kymaConfig, kymaInstaller: installer, deletedAt } = runtime;
  if (registration === 'none' || !kymaConfig || !installer || deletedAt) return { status: 'Pending' };
  if (sleepReason !== undefined) return { status: 'Disconnected', errors: [{ message: sleepReason }] };
  // What an operation does may change the connection.
  const { id, stage, state } = lastOperation;
  const connected = { ...runtime, kyma: { installer, version: kymaConfig.version } };
  const { last, trouble } = await observations.look(connected, `${id} ${stage}`);
  const atWork = state === 'InProgress';
  const { status, error } = last ? present(last.observation, atWork) : { status: 'Pending' as const, error: undefined };
  const messages = [
    ...(trouble ? [`the connection cannot be looked up now: ${trouble}`] : []),
    ...(error ? [error] : []),
  ];
  return {
    status,
    observedAt: last?.at,
    ...(messages.length > 0 && { errors: messages.map((message) => ({ message })) }),
  };
}

/** While an operation is at work, an agent that does not run yet is no error. */
function present(
  seen: ConnectionObservation,
  atWork: boolean,
): { status: RuntimeAgentConnectionStatus; error: string | undefined } {
  switch (seen.state) {
    case 'connected':
      return { status: 'Connected', error: seen.warning };
    case 'disconnected':
      return { status: 'Disconnected', error: seen.error };
    case 'pending':
      return { status: 'Pending', error: atWork ? undefined : seen.trouble };
  }
}
