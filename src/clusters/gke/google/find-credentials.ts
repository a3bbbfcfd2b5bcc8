import { Failure } from '../../../domain/failures.ts';
import { Secret } from '../../../domain/secret.ts';
import type { KubernetesClient } from '../../../kubernetes/kubernetes-client.ts';
import { readServiceAccountKey, type ServiceAccountKey } from './service-account-key.ts';

/** The data key of the Secret. */
const dataKey = 'credentials';

export interface CredentialsPlace {
  /** The cluster that holds the Secrets. */
  readonly client: () => Promise<KubernetesClient>;
  readonly namespace: string;
  /** A token endpoint there is trusted beside Google's own. */
  readonly trustedOrigin: string;
}

/**
 * The key in the Secret, read anew. Throws CREDENTIALS_INVALID that says what is wrong with the Secret and how a right
 * one is made; another error when the cluster with the Secrets does not answer.
 */
export async function findCredentials({
  place,
  secretName,
  signal,
}: {
  readonly place: CredentialsPlace;
  readonly secretName: string;
  readonly signal: AbortSignal | undefined;
}): Promise<ServiceAccountKey> {
  const { namespace, trustedOrigin } = place;
  const refuse = (why: string) =>
    new Failure('CREDENTIALS_INVALID', `Secret ${namespace}/${secretName} ${why}; ${cure(namespace, secretName)}`);
  const client = await place.client();
  const reference = { apiVersion: 'v1', plural: 'secrets', namespaced: true, namespace, name: secretName };
  const object = await client.get(reference, signal && { signal });
  if (!object) throw refuse('does not exist');
  const data = (object.data ?? {}) as Readonly<Record<string, string>>;
  const encoded = Object.hasOwn(data, dataKey) ? data[dataKey] : undefined;
  if (!encoded) {
    const found = Object.keys(data).join(', ');
    throw refuse(`has no data key "${dataKey}"${found === '' ? '' : ` (only ${found})`}`);
  }
  const text = new Secret(Buffer.from(encoded, 'base64').toString('utf8'));
  const read = readServiceAccountKey(text, { trustedOrigin });
  if ('mistake' in read) throw refuse(`holds a key that cannot be used: it ${read.mistake}`);
  return read.key;
}

/** How a Secret is made that will do. */
function cure(namespace: string, secretName: string): string {
  const command = `kubectl -n ${namespace} create secret generic ${secretName} --from-file=${dataKey}=key.json`;
  return `with the JSON key of a Google service account in key.json, create it anew: ${command}`;
}
