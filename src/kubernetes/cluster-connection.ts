import type { Secret } from '../domain/secret.ts';

/** All that is needed to speak to one Kubernetes API: parsed, with everything inline, and nothing to execute. */
export interface ClusterConnection {
  /** https, without a trailing slash; a path prefix is kept. */
  readonly server: string;
  /** PEM. Without it, the certificate authorities that the process trusts. */
  readonly certificateAuthority?: string;
  readonly tlsServerName?: string;
  /** The context's namespace. */
  readonly namespace?: string;
  readonly credential: ClusterCredential;
}

export type ClusterCredential =
  | { readonly kind: 'clientCertificate'; readonly certificate: string; readonly key: Secret }
  | { readonly kind: 'token'; readonly token: Secret };

export interface ConnectionRequest {
  /** The connection that the server has just answered with 401: a source that can, gives a newer one. */
  readonly rejected?: ClusterConnection | undefined;
}

/**
 * Where a connection comes from that changes while the process runs: a mounted file, a kubeconfig that expires. The
 * same object is given for as long as nothing changed.
 */
export interface ConnectionSource {
  current(request?: ConnectionRequest): Promise<ClusterConnection>;
}

export function fixedConnection(connection: ClusterConnection): ConnectionSource {
  return { current: () => Promise.resolve(connection) };
}
