import { stringify } from 'yaml';
import type { KubeObject, SubresourceRequest } from '../kubernetes/resource-type.ts';
import { badRequest, invalid } from '../kubernetes/status-error.ts';
import type { CertificateAuthority } from '../tls/certificate-authority.ts';

const kinds = { admin: 'AdminKubeconfigRequest', viewer: 'ViewerKubeconfigRequest' } as const;
const groups = { admin: 'system:masters', viewer: 'gardener.cloud:system:viewers' } as const;
const lifetime = { standard: 3600, shortest: 600, longest: 86_400 };
/** Addresses that a client can use. */
const usable = ['external', 'internal', 'unmanaged'];

/** POST `shoots/<name>/adminkubeconfig` and `viewerkubeconfig`: one context per address, a certificate that expires. */
export function answerKubeconfigRequest(
  { object: shoot, body, user }: SubresourceRequest,
  role: 'admin' | 'viewer',
  authority: CertificateAuthority,
): KubeObject {
  const kind = kinds[role];
  const { name = '', namespace } = shoot.metadata;
  const asked = checkRequest(body, kind);
  const addresses: { name: string; url: string }[] = shoot.status?.advertisedAddresses ?? [];
  if (addresses.length === 0) {
    const detail = 'no kube-apiserver advertised addresses in Shoot .status.advertisedAddresses';
    throw invalid({ group: 'authentication.gardener.cloud', kind }, name, [
      { reason: 'FieldValueInvalid', field: 'status.status', value: [], detail },
    ]);
  }
  const issued = authority.issueClientCertificate({
    user: user.name,
    groups: [groups[role]],
    api: `clusters/${shoot.status.technicalID}`,
    lifetimeSeconds: asked,
  });
  const kubeconfig = kubeconfigOf({
    name: `${namespace}--${name}`,
    addresses: addresses.filter((address) => usable.includes(address.name)),
    authority: authority.certificate,
    ...issued,
  });
  return {
    apiVersion: 'authentication.gardener.cloud/v1alpha1',
    kind,
    metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
    spec: { expirationSeconds: asked },
    status: {
      kubeconfig: Buffer.from(kubeconfig).toString('base64'),
      expirationTimestamp: `${issued.expiresAt.toISOString().slice(0, 19)}Z`,
    },
  };
}

/** The lifetime in seconds; too long a one is shortened without a word. */
function checkRequest(body: KubeObject, kind: string): number {
  if (body?.kind !== kind) throw badRequest(`no kind "${body?.kind}" is registered here, expected "${kind}"`);
  const asked: unknown = body.spec?.expirationSeconds ?? lifetime.standard;
  if (typeof asked !== 'number' || asked < lifetime.shortest) {
    const detail = 'may not specify a duration less than 10 minutes';
    throw invalid({ group: 'authentication.gardener.cloud', kind }, '', [
      { reason: 'FieldValueInvalid', field: 'spec.expirationSeconds', value: asked, detail },
    ]);
  }
  return Math.min(asked, lifetime.longest);
}

interface KubeconfigParts {
  readonly name: string;
  readonly addresses: readonly { name: string; url: string }[];
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
}

function kubeconfigOf({ name, addresses, authority, certificate, key }: KubeconfigParts): string {
  const encode = (text: string) => Buffer.from(text).toString('base64');
  const contextOf = (address: { name: string }) => `${name}-${address.name}`;
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': addresses[0] && contextOf(addresses[0]),
    clusters: addresses.map((address) => ({
      name: contextOf(address),
      cluster: { server: address.url, 'certificate-authority-data': encode(authority) },
    })),
    contexts: addresses.map((address) => ({
      name: contextOf(address),
      context: { cluster: contextOf(address), user: contextOf(address) },
    })),
    users: addresses.map((address) => ({
      name: contextOf(address),
      user: { 'client-certificate-data': encode(certificate), 'client-key-data': encode(key) },
    })),
  });
}
