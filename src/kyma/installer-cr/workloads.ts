import { readPath, readRecords, readText } from '../../domain/json.ts';
import type { KubernetesClient, KubernetesObject, ResourceKind } from '../../kubernetes/kubernetes-client.ts';
import { installerDeployment } from './release-objects.ts';

const deployments: ResourceKind = { apiVersion: 'apps/v1', plural: 'deployments', namespaced: true };
const pods: ResourceKind = { apiVersion: 'v1', plural: 'pods', namespaced: true };

export function findDeployment(
  cluster: KubernetesClient,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  signal: AbortSignal,
): Promise<KubernetesObject | undefined> {
  return cluster.get({ ...deployments, namespace, name }, { signal });
}

/** Why a Deployment does not work as it is specified now; undefined when it does. */
export function workloadTrouble(deployment: KubernetesObject | undefined): string | undefined {
  if (!deployment) return 'it is missing';
  const observed = readPath(deployment, 'status', 'observedGeneration');
  if (typeof observed !== 'number' || observed < (deployment.metadata.generation ?? 0)) return 'it is starting';
  const available = readRecords(deployment, 'status', 'conditions').find(({ type }) => type === 'Available');
  if (available?.status === 'True') return undefined;
  return readText(available, 'message') ?? readText(available, 'reason') ?? 'it is not available yet';
}

/**
 * Stops the installer in a cluster. True when none of its Pods is left: until then one of an older release may still act
 * on what it is told.
 */
export async function stopInstaller(cluster: KubernetesClient, signal: AbortSignal): Promise<boolean> {
  const { namespace, name } = installerDeployment;
  const running = await findDeployment(cluster, installerDeployment, signal);
  if (running) {
    const { uid } = running.metadata;
    const reference = { ...deployments, namespace, name };
    await cluster.delete(reference, { ...(uid !== undefined && { uid }), signal });
    return false;
  }
  const { items } = await cluster.list(pods, { namespace, signal });
  return !items.some(({ metadata }) => metadata.name?.startsWith(`${name}-`));
}
