import { stringify } from 'yaml';

export type KubeconfigCredential =
  | { readonly kind: 'certificate'; readonly certificate: string; readonly key: string }
  | { readonly kind: 'token'; readonly token: string };

export interface KubeconfigOptions {
  /** Names cluster, user and context: `garden`, `shoot--project--name`. */
  readonly name: string;
  /** With the API's path: `https://127.0.0.1:8443/garden`. */
  readonly server: string;
  /** PEM of the authority that signed the server's certificate. */
  readonly authority: string;
  readonly credential: KubeconfigCredential;
  /** The context's default namespace. */
  readonly namespace?: string;
}

/** A kubeconfig with everything inline, as YAML. */
export function buildKubeconfig({ name, server, authority, credential, namespace }: KubeconfigOptions): string {
  const context = { cluster: name, user: name, ...(namespace === undefined ? {} : { namespace }) };
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': name,
    clusters: [{ name, cluster: { server, 'certificate-authority-data': base64(authority) } }],
    contexts: [{ name, context }],
    users: [{ name, user: userOf(credential) }],
  });
}

function userOf(credential: KubeconfigCredential): object {
  switch (credential.kind) {
    case 'certificate':
      return {
        'client-certificate-data': base64(credential.certificate),
        'client-key-data': base64(credential.key),
      };
    case 'token':
      return { token: credential.token };
  }
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
