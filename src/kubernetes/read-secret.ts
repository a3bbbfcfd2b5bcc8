import { Secret } from '../domain/secret.ts';
import type { KubernetesClient } from './kubernetes-client.ts';

export interface SecretReference {
  readonly client: KubernetesClient;
  readonly namespace: string;
  readonly name: string;
  readonly signal?: AbortSignal;
}

/** The data of a Secret, decoded. Throws a transient error when the Secret does not exist (yet). */
export async function readSecret(reference: SecretReference): Promise<ReadonlyMap<string, Secret>> {
  const { client, namespace, name, signal } = reference;
  const object = await client.get(
    { apiVersion: 'v1', plural: 'secrets', namespaced: true, namespace, name },
    signal && { signal },
  );
  if (!object) throw new Error(`Secret ${namespace}/${name} does not exist`);
  const data = (object.data ?? {}) as Readonly<Record<string, string>>;
  return new Map(
    Object.entries(data).map(([key, value]) => [key, new Secret(Buffer.from(value, 'base64').toString('utf8'))]),
  );
}
