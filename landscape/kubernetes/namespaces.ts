import type { StoreEvent } from './event-history.ts';
import type { KubernetesApi } from './kubernetes-api.ts';
import { isBeingDeleted } from './object-meta.ts';
import { qualifiedName } from './status-error.ts';

/**
 * Gives each Namespace its default ServiceAccount, and empties one that is being deleted: everything in it is deleted,
 * and when the last finalizer of the last object is gone, so is the Namespace.
 */
export function startNamespaceController(api: KubernetesApi): () => void {
  return api.store.subscribe((event) => {
    if (event.resource === 'namespaces') namespaceChanged(api, event);
    else if (event.type === 'DELETED') finish(api, event.object.metadata.namespace);
  });
}

function namespaceChanged(api: KubernetesApi, { type, object }: StoreEvent): void {
  const name = object.metadata.name ?? '';
  if (type === 'ADDED' && api.read('serviceaccounts', name, 'default') === undefined) {
    if (api.read('namespaces', undefined, name) === undefined) return;
    api.create('serviceaccounts', { metadata: { name: 'default', namespace: name } });
  }
  if (type !== 'MODIFIED' || !isBeingDeleted(object) || object.status?.phase === 'Terminating') return;
  api.write('namespaces', undefined, name, (namespace) => {
    namespace.status = { ...namespace.status, phase: 'Terminating' };
  });
  for (const resource of namespacedResources(api)) {
    for (const content of api.list(resource, { namespace: name })) {
      api.remove(resource, name, content.metadata.name ?? '');
    }
  }
  finish(api, name);
}

function finish(api: KubernetesApi, name: string | undefined): void {
  if (name === undefined) return;
  const namespace = api.read('namespaces', undefined, name);
  if (namespace === undefined || namespace.status?.phase !== 'Terminating') return;
  const isEmpty = namespacedResources(api).every((resource) => api.list(resource, { namespace: name }).length === 0);
  if (!isEmpty) return;
  api.write('namespaces', undefined, name, (copy) => {
    copy.spec = { ...copy.spec, finalizers: [] };
  });
}

function namespacedResources(api: KubernetesApi): readonly string[] {
  return [
    ...new Set(
      api.registry
        .all()
        .filter((type) => type.namespaced)
        .map(qualifiedName),
    ),
  ];
}
