import type { DirectorCredentials } from './control/control.ts';
import type { KubernetesApi } from './kubernetes/kubernetes-api.ts';

/** The Secret with the credentials for the Director. */
export const credentialsSecret = { name: 'compass-provisioner-credentials', namespace: 'compass-system' } as const;

/** The Secret with the key of a Google service account, beside it. */
export const gcpSecret = { name: 'gcp-secret', namespace: credentialsSecret.namespace } as const;

/** Fills the cluster in which the service itself would run. */
export function fillManagement(management: KubernetesApi, credentials: DirectorCredentials, googleKey: string): void {
  management.create('namespaces', { metadata: { name: credentialsSecret.namespace } });
  management.create('secrets', { metadata: credentialsSecret, type: 'Opaque', data: encode({ ...credentials }) });
  management.create('secrets', { metadata: gcpSecret, type: 'Opaque', data: encode({ credentials: googleKey }) });
}

function encode(data: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')]));
}
