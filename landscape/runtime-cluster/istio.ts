import type { KubernetesApi } from '../kubernetes/kubernetes-api.ts';
import { ensure, ensureNamespace, openDefinition, simpleDeployment } from './ensure.ts';
import type { ModuleScript } from './module-scripts.ts';

const group = 'networking.istio.io';
const kinds = [
  { kind: 'Gateway', plural: 'gateways' },
  { kind: 'VirtualService', plural: 'virtualservices' },
];

/** True once the cluster serves Istio's own kinds. */
export function istioCrdsAreServed(cluster: KubernetesApi): boolean {
  return kinds.every(({ plural }) => cluster.registry.byName(`${plural}.${group}`) !== undefined);
}

export const istioScript: ModuleScript = {
  resource: 'istios.operator.kyma-project.io',
  manager: 'istio-controller-manager',
  finalizer: 'istios.operator.kyma-project.io/istio-installation',
  condition: 'Ready',
  reportsObservedGeneration: false,
  install(cluster) {
    ensureNamespace(cluster, 'istio-system');
    for (const names of kinds) {
      const definition = openDefinition({ group, version: 'v1', ...names, scope: 'Namespaced' });
      ensure(cluster, 'customresourcedefinitions', definition);
    }
    ensure(cluster, 'deployments', simpleDeployment('istio-system', 'istiod', 'landscape.example/istio/pilot:1.27.1'));
  },
  blocksDeletion(cluster) {
    const left = kinds.flatMap(({ plural }) => {
      const type = `${plural}.${group}`;
      return cluster.registry.byName(type) ? cluster.list(type) : [];
    });
    return left.length === 0
      ? undefined
      : `There are Istio resources that block deletion: ${left.map(({ kind, metadata }) => `${kind} ${metadata.namespace}/${metadata.name}`).join(', ')}`;
  },
  uninstall(cluster) {
    cluster.remove('deployments', 'istio-system', 'istiod');
    for (const { plural } of kinds) cluster.remove('customresourcedefinitions', undefined, `${plural}.${group}`);
    cluster.remove('namespaces', undefined, 'istio-system');
  },
};
