import { X509Certificate } from 'node:crypto';
import { Failure } from '../../domain/failures.ts';
import { Secret } from '../../domain/secret.ts';
import type { ClusterConnection } from '../../kubernetes/cluster-connection.ts';
import { parseKubeconfig, sanitizedKubeconfig } from '../../kubernetes/kubeconfig.ts';
import type { KubernetesClient, ObjectReference } from '../../kubernetes/kubernetes-client.ts';
import type { IssuedKubeconfig, KubeconfigRequest } from '../cluster-driver.ts';
import { throwRefusal } from './refusal.ts';

const secrets = { apiVersion: 'v1', plural: 'secrets', namespaced: true } as const;

/**
 * The kubeconfig in the Secret `<shoot>.kubeconfig`, as Gardener kept it until 1.122. It is an administrator's, and ends
 * when Gardener rotates it. Undefined when there is none.
 */
export async function staticKubeconfig({
  request: { role, order, signal },
  client,
  reference,
}: {
  request: KubeconfigRequest;
  client: KubernetesClient;
  reference: ObjectReference;
}): Promise<IssuedKubeconfig | undefined> {
  const { name, namespace = '' } = reference;
  const secret = await client
    .get({ ...secrets, namespace, name: `${name}.kubeconfig` }, signal ? { signal } : {})
    .catch(throwRefusal);
  const encoded = (secret?.data as Readonly<Record<string, string>> | undefined)?.kubeconfig;
  if (encoded === undefined) return undefined;
  if (role !== 'admin') {
    const message = `this Gardener issues no kubeconfig with the role ${role} for cluster ${name}, only one for administrators`;
    throw new Failure('KUBECONFIG_UNAVAILABLE', message);
  }
  const text = new Secret(Buffer.from(encoded, 'base64').toString('utf8'));
  const connection = parseKubeconfig({ text, source: `of cluster ${order.cluster.name}` });
  return { kubeconfig: sanitizedKubeconfig(connection, order.cluster.name), expiresAt: endOf(connection) };
}

/** What a token does not say. */
function endOf({ credential }: ClusterConnection): Date | undefined {
  if (credential.kind !== 'clientCertificate') return undefined;
  return new X509Certificate(credential.certificate).validToDate;
}
