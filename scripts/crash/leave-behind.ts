import { Secret } from '../../src/domain/secret.ts';
import { kubernetesClient } from '../../src/kubernetes/client.ts';
import { parseKubeconfig } from '../../src/kubernetes/kubeconfig.ts';
import type { KubernetesObject, ResourceKind } from '../../src/kubernetes/kubernetes-client.ts';

const namespaced = (apiVersion: string, plural: string): ResourceKind => ({ apiVersion, plural, namespaced: true });
const catalog = 'servicecatalog.k8s.io/v1beta1';
const inDefault = (name: string) => ({ name, namespace: 'default' });

/** A load balancer and a disk, which Google does not remove with the cluster. */
export function leaveLoadBalancer(kubeconfig: string): Promise<void> {
  const service = { apiVersion: 'v1', kind: 'Service', metadata: inDefault('web') };
  const claim = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: inDefault('data') };
  return create(kubeconfig, [
    [namespaced('v1', 'services'), { ...service, spec: { type: 'LoadBalancer', ports: [{ port: 80 }] } }],
    [namespaced('v1', 'persistentvolumeclaims'), { ...claim, spec: { accessModes: ['ReadWriteOnce'] } }],
  ]);
}

/** A service that a broker has made outside. */
export function leaveBrokeredService(kubeconfig: string): Promise<void> {
  const broker = { apiVersion: catalog, kind: 'ClusterServiceBroker', metadata: { name: 'manager' } };
  const instance = { apiVersion: catalog, kind: 'ServiceInstance', metadata: inDefault('database') };
  const plan = { clusterServiceClassExternalName: 'manager-database', clusterServicePlanExternalName: 'small' };
  const brokers = { apiVersion: catalog, plural: 'clusterservicebrokers', namespaced: false };
  return create(kubeconfig, [
    [brokers, { ...broker, spec: { url: 'https://service-manager.example.com/v1/osb/1' } }],
    [namespaced(catalog, 'serviceinstances'), { ...instance, spec: plan }],
  ]);
}

async function create(kubeconfig: string, objects: readonly (readonly [ResourceKind, KubernetesObject])[]) {
  const connection = parseKubeconfig({ text: new Secret(kubeconfig), source: 'runtimeStatus' });
  const client = kubernetesClient({ connection, fieldManager: 'user' });
  try {
    for (const [kind, object] of objects) await client.create(kind, object);
  } finally {
    await client.close();
  }
}
