import { isRecord } from '../../domain/json.ts';
import type { KubernetesObject } from '../../kubernetes/kubernetes-client.ts';
import type { LoadedModule } from './loaded-module.ts';

/** What Kyma's documentation asks of the namespace of its modules. */
const moduleNamespaceLabels = { 'istio-injection': 'enabled' };

/**
 * The namespaces that modules need, each once: several manifests may bring the same one with labels of their own, and
 * with one field manager each apply would take away the labels of the one before.
 */
export function moduleNamespaces(modules: readonly LoadedModule[]): readonly KubernetesObject[] {
  const namespaces = new Map<string, KubernetesObject>();
  for (const { planned } of modules) {
    namespaces.set(planned.namespace, namespace(planned.namespace, moduleNamespaceLabels));
  }
  for (const { planned } of modules) {
    for (const name of [planned.resource.namespace, planned.manager.namespace]) {
      if (name !== undefined && !namespaces.has(name)) namespaces.set(name, namespace(name, {}));
    }
  }
  for (const object of modules.flatMap(({ manifest }) => manifest)) {
    const { name } = object.metadata;
    if (object.kind !== 'Namespace' || name === undefined) continue;
    namespaces.set(name, combine(namespaces.get(name), object));
  }
  return [...namespaces.values()];
}

function combine(one: KubernetesObject | undefined, other: KubernetesObject): KubernetesObject {
  const metadata: Record<string, unknown> = { ...one?.metadata };
  for (const [key, value] of Object.entries(other.metadata)) {
    metadata[key] = isRecord(value) && isRecord(metadata[key]) ? { ...metadata[key], ...value } : value;
  }
  return { ...one, ...other, metadata };
}

function namespace(name: string, labels: Readonly<Record<string, string>>): KubernetesObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } };
}
