import type { Failure } from '../../domain/failures.ts';
import { readText } from '../../domain/json.ts';
import { Secret } from '../../domain/secret.ts';
import { kubernetesClient } from '../../kubernetes/client.ts';
import { type ClusterConnection, fixedConnection } from '../../kubernetes/cluster-connection.ts';
import { parseKubeconfig, sanitizedKubeconfig } from '../../kubernetes/kubeconfig.ts';
import type { KubernetesClient, KubernetesObject } from '../../kubernetes/kubernetes-client.ts';
import { KubernetesError } from '../../kubernetes/kubernetes-error.ts';
import type { IssuedKubeconfig, KubeconfigRequest } from '../cluster-driver.ts';
import { gkeFailure } from './gke-failure.ts';
import type { GkeClusterState } from './gke-resources.ts';
import type { GoogleToken } from './google/google-tokens.ts';

/** Kubernetes refuses less; GKE shortens more by itself. */
const lifetimeBounds = { shortest: 600, longest: 86_400 };

const namespace = 'kube-system';
const roles = {
  admin: { account: 'kyma-runtime-admin', clusterRole: 'cluster-admin' },
  viewer: { account: 'kyma-runtime-viewer', clusterRole: 'view' },
} as const;

const kinds = {
  serviceAccounts: { apiVersion: 'v1', plural: 'serviceaccounts', namespaced: true },
  clusterRoleBindings: { apiVersion: 'rbac.authorization.k8s.io/v1', plural: 'clusterrolebindings', namespaced: false },
} as const;

/**
 * For this service itself: with Google's own token, made for an hour and kept nowhere. For a user: with a token of a
 * ServiceAccount in the cluster, which is good in this cluster only, for as long as was granted.
 */
export async function issueKubeconfig({
  request,
  cluster,
  googleToken,
}: {
  readonly request: KubeconfigRequest;
  /** Undefined when there is none of this Runtime. */
  readonly cluster: GkeClusterState | undefined;
  readonly googleToken: GoogleToken;
}): Promise<IssuedKubeconfig> {
  const { name } = request.order.cluster;
  const address = addressOf(cluster, name);
  const ours: ClusterConnection = { ...address, credential: { kind: 'token', token: googleToken.token } };
  if (request.holder === 'service') return { kubeconfig: written(ours, name), expiresAt: googleToken.expiresAt };
  const client = kubernetesClient({ connection: fixedConnection(ours), fieldManager: 'runtime-provisioner' });
  try {
    const { token, expiresAt } = await requestToken(client, request);
    return { kubeconfig: written({ ...address, credential: { kind: 'token', token } }, name), expiresAt };
  } catch (error) {
    if (error instanceof KubernetesError && error.status !== 429) throw unavailable(name, error.message, error);
    throw error;
  } finally {
    await client.close();
  }
}

function addressOf(
  cluster: GkeClusterState | undefined,
  name: string,
): Pick<ClusterConnection, 'server' | 'certificateAuthority'> {
  const authority = cluster?.masterAuth?.clusterCaCertificate;
  const works = cluster && ['RUNNING', 'RECONCILING', 'DEGRADED'].includes(cluster.status ?? '');
  if (!works || cluster.endpoint === undefined || authority === undefined) {
    throw unavailable(name, cluster ? `it is in the state ${cluster.status}` : 'it does not exist');
  }
  return {
    server: `https://${cluster.endpoint}`,
    certificateAuthority: Buffer.from(authority, 'base64').toString('utf8'),
  };
}

async function requestToken(
  client: KubernetesClient,
  { role, lifetimeSeconds, signal }: KubeconfigRequest,
): Promise<{ token: Secret; expiresAt: Date }> {
  const options = signal ? { signal } : {};
  const { account, clusterRole } = roles[role];
  const serviceAccount = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: account, namespace } };
  await client.apply(serviceAccount, { ...options, kind: kinds.serviceAccounts, force: true });
  await client.apply(bindingOf(account, clusterRole), { ...options, kind: kinds.clusterRoleBindings, force: true });
  const expirationSeconds = Math.min(
    lifetimeBounds.longest,
    Math.max(lifetimeBounds.shortest, Math.round(lifetimeSeconds)),
  );
  const answer = await client.createSubresource(
    { ...kinds.serviceAccounts, namespace, name: account },
    'token',
    { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds } },
    options,
  );
  const token = readText(answer, 'status', 'token');
  const expiresAt = new Date(readText(answer, 'status', 'expirationTimestamp') ?? Number.NaN);
  if (token === undefined || Number.isNaN(expiresAt.getTime())) throw new Error('the cluster answered without a token');
  return { token: new Secret(token), expiresAt };
}

function bindingOf(account: string, clusterRole: string): KubernetesObject {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: account },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: clusterRole },
    subjects: [{ kind: 'ServiceAccount', name: account, namespace }],
  };
}

/** Written, and read again as every kubeconfig is that comes from outside. */
function written(connection: ClusterConnection, name: string): Secret {
  const kubeconfig = sanitizedKubeconfig(connection, name);
  parseKubeconfig({ text: kubeconfig, source: `of cluster ${name}` });
  return kubeconfig;
}

function unavailable(name: string, why: string, cause?: unknown): Failure {
  const message = `cluster ${name} cannot issue a kubeconfig now: ${why}`;
  return gkeFailure({ code: 'KUBECONFIG_UNAVAILABLE', message, cause });
}
