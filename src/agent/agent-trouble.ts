import { isRecord, readPath, readRecords, readText } from '../domain/json.ts';
import type { KubernetesObject, ObjectReference, ResourceKind } from '../kubernetes/kubernetes-client.ts';
import { agentLayout } from './agent-layout.ts';
import type { AgentTarget } from './runtime-agent.ts';

const pods: ResourceKind = { apiVersion: 'v1', plural: 'pods', namespaced: true };

export function deploymentReference({ kyma }: Pick<AgentTarget, 'kyma'>): ObjectReference {
  const { namespace } = agentLayout(kyma);
  return { apiVersion: 'apps/v1', plural: 'deployments', namespaced: true, namespace, name: 'compass-runtime-agent' };
}

export interface AgentTrouble {
  /** There is no agent at all, rather than one that does not run now. */
  readonly missing: boolean;
  readonly message: string;
}

/** Why the agent does not act, when its Deployment or its Pods tell. */
export async function findTrouble(target: AgentTarget): Promise<AgentTrouble | undefined> {
  const { cluster, signal } = target;
  const reference = deploymentReference(target);
  const its = `its Deployment ${reference.namespace}/${reference.name}`;
  const found = await cluster.get(reference, { signal });
  if (!found) return { missing: true, message: `${its} does not exist` };
  if (readPath(found, 'spec', 'replicas') === 0) return { missing: false, message: `${its} is not started yet` };
  const available = readRecords(found, 'status', 'conditions').find(({ type }) => type === 'Available');
  if (available?.status === 'True') return undefined;
  const reason = (await podTrouble(target, found)) ?? readText(available, 'message') ?? 'no Pod is ready';
  return { missing: false, message: `${its} is not available: ${reason}` };
}

/** A Deployment says only how many Pods are missing; the Pods say why. */
async function podTrouble({ cluster, signal }: AgentTarget, deployment: KubernetesObject): Promise<string | undefined> {
  const { namespace } = deployment.metadata;
  const labels = readPath(deployment, 'spec', 'selector', 'matchLabels');
  if (namespace === undefined || !isRecord(labels) || Object.keys(labels).length === 0) return undefined;
  const labelSelector = Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
  const { items } = await cluster.list(pods, { namespace, labelSelector, signal });
  const told = items.flatMap((pod) => containersOf(pod).flatMap((container) => containerTrouble(container) ?? []));
  return told[0];
}

function containersOf(pod: KubernetesObject): readonly Record<string, unknown>[] {
  return [...readRecords(pod, 'status', 'initContainerStatuses'), ...readRecords(pod, 'status', 'containerStatuses')];
}

/** `CrashLoopBackOff after 7 restarts, exit code 1: the last words` */
function containerTrouble(container: Record<string, unknown>): string | undefined {
  const reason =
    readText(container, 'state', 'waiting', 'reason') ?? readText(container, 'state', 'terminated', 'reason');
  if (reason === undefined || reason === 'ContainerCreating' || reason === 'PodInitializing') return undefined;
  const last = readPath(container, 'lastState', 'terminated') ?? readPath(container, 'state', 'terminated');
  const restarts = readPath(container, 'restartCount');
  const exitCode = readPath(last, 'exitCode');
  const words = readText(last, 'message') ?? readText(container, 'state', 'waiting', 'message');
  return [
    reason,
    typeof restarts === 'number' && restarts > 0 ? ` after ${restarts} restarts` : '',
    typeof exitCode === 'number' ? `, exit code ${exitCode}` : '',
    words === undefined ? '' : `: ${words.trim()}`,
  ].join('');
}
