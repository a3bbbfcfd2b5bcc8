import { Failure } from '../../domain/failures.ts';
import { Secret } from '../../domain/secret.ts';
import { parseKubeconfig, sanitizedKubeconfig } from '../../kubernetes/kubeconfig.ts';
import type { KubernetesClient, ObjectReference } from '../../kubernetes/kubernetes-client.ts';
import { KubernetesError } from '../../kubernetes/kubernetes-error.ts';
import type { IssuedKubeconfig, KubeconfigRequest } from '../cluster-driver.ts';
import { refusalOf } from './refusal.ts';
import { reachableAddresses } from './shoot/judge-shoot.ts';
import { staticKubeconfig } from './static-kubeconfig.ts';

interface Issue {
  readonly request: KubeconfigRequest;
  readonly client: KubernetesClient;
  readonly reference: ObjectReference;
}

const roles = {
  admin: { subresource: 'adminkubeconfig', kind: 'AdminKubeconfigRequest' },
  viewer: { subresource: 'viewerkubeconfig', kind: 'ViewerKubeconfigRequest' },
} as const;

/** Gardener refuses less; it shortens more to its operator's maximum by itself. */
const lifetimeBounds = { shortest: 600, longest: 86_400 };

/**
 * A kubeconfig for the address at which the cluster is reached from outside. A Garden that issues none is so old that it
 * keeps one.
 */
export async function issueKubeconfig(issue: Issue): Promise<IssuedKubeconfig> {
  const { client, reference, request } = issue;
  try {
    return await requestKubeconfig(issue);
  } catch (error) {
    const mayBeOld = error instanceof KubernetesError && error.status === 404;
    const options = request.signal ? { signal: request.signal } : {};
    // The Shoot is there, so it is the subresource that is not.
    const isOld = mayBeOld && (await client.get(reference, options).catch(() => undefined)) !== undefined;
    const kept = isOld ? await staticKubeconfig(issue) : undefined;
    return kept ?? throwUnavailable(error, request.order.cluster.name);
  }
}

async function requestKubeconfig({ request, client, reference }: Issue): Promise<IssuedKubeconfig> {
  const { role, lifetimeSeconds, signal, order } = request;
  const { subresource, kind } = roles[role];
  const expirationSeconds = Math.min(
    lifetimeBounds.longest,
    Math.max(lifetimeBounds.shortest, Math.round(lifetimeSeconds)),
  );
  const body = {
    apiVersion: 'authentication.gardener.cloud/v1alpha1',
    kind,
    metadata: { name: reference.name, namespace: reference.namespace },
    spec: { expirationSeconds },
  };
  const answer = await client.createSubresource(reference, subresource, body, signal ? { signal } : {});
  const { kubeconfig, expirationTimestamp } = (answer as RequestAnswer).status ?? {};
  const expiresAt = new Date(expirationTimestamp ?? Number.NaN);
  if (!kubeconfig || Number.isNaN(expiresAt.getTime())) {
    throw new Failure('KUBECONFIG_UNAVAILABLE', `Gardener answered without a kubeconfig for ${order.cluster.name}`);
  }
  const text = new Secret(Buffer.from(kubeconfig, 'base64').toString('utf8'));
  const source = `of cluster ${order.cluster.name}`;
  const connection = parseKubeconfig({ text, source, context: reachableContext });
  return { kubeconfig: sanitizedKubeconfig(connection, order.cluster.name), expiresAt };
}

interface RequestAnswer {
  readonly status?: { readonly kubeconfig?: string; readonly expirationTimestamp?: string };
}

/** Gardener gives a context per address, whose name ends with that of the address. */
function reachableContext(names: readonly string[]): string | undefined {
  for (const address of reachableAddresses) {
    const name = names.find((candidate) => candidate.endsWith(`-${address}`));
    if (name !== undefined) return name;
  }
  return names.length === 1 ? names[0] : undefined;
}

/** What may heal by itself (a dropped connection, 429) is thrown as it is. */
function throwUnavailable(error: unknown, name: string): never {
  if (!(error instanceof KubernetesError)) throw error;
  const { status, message } = error;
  if (status === 404 || status === 422 || status >= 500) {
    throw new Failure('KUBECONFIG_UNAVAILABLE', `cluster ${name} cannot issue a kubeconfig now: ${message}`, {
      cause: error,
    });
  }
  if (refusalOf(error)) throw new Failure('CLUSTER_PROVIDER_FORBIDDEN', message, { cause: error });
  throw error;
}
