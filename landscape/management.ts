import type { DirectorCredentials } from './control/control.ts';
import type { KubernetesApi } from './kubernetes/kubernetes-api.ts';

/** The Secret with the credentials for the Director. */
export const credentialsSecret = { name: 'compass-provisioner-credentials', namespace: 'compass-system' } as const;

/** Fills the cluster in which the service itself would run. */
export function fillManagement(management: KubernetesApi, credentials: DirectorCredentials): void {
  const encoded = Object.entries(credentials).map(([key, value]) => [key, Buffer.from(value).toString('base64')]);
  management.create('namespaces', { metadata: { name: credentialsSecret.namespace } });
  management.create('secrets', { metadata: credentialsSecret, type: 'Opaque', data: Object.fromEntries(encoded) });
}
