import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { project, projectNamespace } from './garden/garden-content.ts';
import type { IssueKubeconfigRequest } from './kubernetes/kubernetes-server.ts';

export interface LandscapeAddresses {
  readonly garden: string;
  readonly management: string;
  readonly director: string;
  /** The same behind a gateway that wants a client certificate and no access token. */
  readonly directorWithCertificate: string;
  readonly oauth: string;
  readonly connector: string;
  readonly artifacts: string;
  /** Of Google Kubernetes Engine's REST API. */
  readonly gke: string;
  readonly control: string;
}

export interface LandscapeFilesOptions {
  readonly directory: string;
  readonly addresses: LandscapeAddresses;
  readonly tenants: readonly string[];
  /** PEM. */
  readonly authority: string;
  /** PEM: what this gateway takes. */
  readonly directorClient: { readonly certificate: string; readonly key: string };
  readonly catalogue: object;
  readonly credentialsSecret: { readonly name: string; readonly namespace: string };
  readonly issueKubeconfig: (request: IssueKubeconfigRequest) => string;
}

const kubeconfigLifetimeSeconds = 365 * 24 * 60 * 60;

/** Writes what a service or a person needs to use the landscape; answers the variables that point the service at it. */
export async function writeLandscapeFiles(options: LandscapeFilesOptions): Promise<Readonly<Record<string, string>>> {
  const { directory, addresses, tenants, credentialsSecret, issueKubeconfig } = options;
  const file = (name: string) => path.resolve(directory, name);
  const files = {
    garden: file('garden.kubeconfig'),
    management: file('management.kubeconfig'),
    authority: file('ca.crt'),
    directorCertificate: file('director-client.crt'),
    directorKey: file('director-client.key'),
    catalogue: file('kyma-catalogue.json'),
    landscape: file('landscape.json'),
  };
  const environment = {
    APP_GARDENER_PROJECT: project,
    APP_GARDENER_NAMESPACE: projectNamespace,
    APP_GARDENER_KUBECONFIG_PATH: files.garden,
    KUBECONFIG: files.management,
    APP_DIRECTOR_URL: addresses.director,
    APP_OAUTH_CREDENTIALS_SECRET_NAME: credentialsSecret.name,
    APP_CREDENTIALS_NAMESPACE: credentialsSecret.namespace,
    APP_GKE_ENDPOINT: addresses.gke,
    APP_KYMA_CATALOGUE_PATH: files.catalogue,
    // Its artifacts are on this machine.
    APP_KYMA_PRIVATE_ADDRESSES_ALLOWED: 'true',
    NODE_EXTRA_CA_CERTS: files.authority,
  };
  const kubeconfig = (api: string, namespace: string) =>
    issueKubeconfig({
      api,
      user: 'provisioner',
      groups: ['system:masters'],
      lifetimeSeconds: kubeconfigLifetimeSeconds,
      namespace,
    });
  const json = (content: object) => `${JSON.stringify(content, null, 2)}\n`;
  const secret = { mode: 0o600 };
  await Promise.all([
    writeFile(files.garden, kubeconfig('garden', projectNamespace), secret),
    writeFile(files.management, kubeconfig('management', credentialsSecret.namespace), secret),
    writeFile(files.authority, options.authority),
    writeFile(files.directorCertificate, options.directorClient.certificate),
    writeFile(files.directorKey, options.directorClient.key, secret),
    writeFile(files.catalogue, json(options.catalogue)),
    writeFile(files.landscape, json({ addresses, files, environment, tenants })),
  ]);
  return environment;
}
