import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Failure } from '../domain/failures.ts';
import { Secret } from '../domain/secret.ts';
import type { ClusterConnection, ConnectionSource } from './cluster-connection.ts';
import { fileConnection, kubeconfigFile } from './kubeconfig-file.ts';

export interface AmbientSettings {
  /** KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT: set by Kubernetes in every container. */
  readonly serviceHost: string | undefined;
  readonly servicePort: string | undefined;
  /** KUBECONFIG: one path, or several of which the first that exists is read. */
  readonly kubeconfig: string | undefined;
  readonly homeDirectory: string;
  readonly serviceAccountDirectory?: string;
}

/**
 * The cluster that the process runs in or its user works with, in the customary order: KUBECONFIG, the service account
 * of the container, ~/.kube/config.
 */
export async function ambientConnection(settings: AmbientSettings): Promise<ConnectionSource> {
  const { kubeconfig, homeDirectory, serviceHost } = settings;
  if (kubeconfig) {
    const paths = kubeconfig.split(path.delimiter).filter((candidate) => candidate !== '');
    const existing = paths.find((candidate) => existsSync(candidate));
    if (existing) return kubeconfigFile({ path: existing });
    throw new Failure('KUBECONFIG_REFUSED', `KUBECONFIG names ${kubeconfig}, which does not exist`);
  }
  if (serviceHost) return serviceAccountConnection(settings, serviceHost);
  const usual = path.join(homeDirectory, '.kube', 'config');
  if (existsSync(usual)) return kubeconfigFile({ path: usual });
  throw new Failure(
    'KUBECONFIG_REFUSED',
    `no Kubernetes cluster is known: neither KUBECONFIG nor ${usual} exists, and this is not a container in a cluster`,
  );
}

/** The token file is the platform's own; it is replaced about once an hour. */
async function serviceAccountConnection(settings: AmbientSettings, host: string): Promise<ConnectionSource> {
  const directory = settings.serviceAccountDirectory ?? '/var/run/secrets/kubernetes.io/serviceaccount';
  const certificateAuthority = await readFile(path.join(directory, 'ca.crt'), 'utf8');
  const server = `https://${host.includes(':') ? `[${host}]` : host}:${settings.servicePort ?? '443'}`;
  return fileConnection({
    path: path.join(directory, 'token'),
    parse: (text): ClusterConnection => {
      const token = new Secret(text.reveal().trim());
      return { server, certificateAuthority, credential: { kind: 'token', token } };
    },
  });
}
