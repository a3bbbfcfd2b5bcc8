import type { KubernetesApi } from '../kubernetes/kubernetes-api.ts';

/** The name of the project whose namespace this is; the namespace itself when there is none. */
export function projectOf(garden: KubernetesApi, namespace: string): string {
  const project = garden.list('projects').find(({ spec }) => spec.namespace === namespace);
  return project?.metadata.name ?? namespace;
}
