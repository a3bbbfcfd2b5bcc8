import type { KubernetesApi } from '../kubernetes/kubernetes-api.ts';
import type { KubeObject } from '../kubernetes/resource-type.ts';
import type { Pace } from '../pace.ts';

/** True when the Deployment says that its pods of the current generation are there. */
export function isAvailable(deployment: KubeObject | undefined): boolean {
  if (!deployment || deployment.metadata.deletionTimestamp) return false;
  const { status, metadata } = deployment;
  if (status?.observedGeneration !== metadata.generation || !status?.availableReplicas) return false;
  return (
    status.conditions?.some(
      ({ type, status: value }: KubeObject['status']) => type === 'Available' && value === 'True',
    ) === true
  );
}

/** Plays the Deployment controller and the kubelets: pods are only numbers in a status. */
export async function rollOut(cluster: KubernetesApi, deployment: KubeObject, pace: Pace): Promise<void> {
  const { namespace, name = '', generation } = deployment.metadata;
  if (deployment.status?.observedGeneration === generation || deployment.metadata.deletionTimestamp) return;
  await pace.pass('managerStart');
  cluster.write('deployments', namespace, name, (target) => {
    if (target.metadata.generation !== generation) return;
    const replicas = target.spec.replicas ?? 1;
    const now = `${new Date().toISOString().slice(0, 19)}Z`;
    const condition = (type: string, reason: string, message: string) => ({
      type,
      status: 'True',
      reason,
      message,
      lastTransitionTime: now,
      lastUpdateTime: now,
    });
    target.status = {
      observedGeneration: generation,
      replicas,
      updatedReplicas: replicas,
      readyReplicas: replicas,
      availableReplicas: replicas,
      conditions: [
        condition('Available', 'MinimumReplicasAvailable', 'Deployment has minimum availability.'),
        condition('Progressing', 'NewReplicaSetAvailable', `ReplicaSet for "${name}" has successfully progressed.`),
      ],
    };
  });
}
