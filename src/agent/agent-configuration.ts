import { readPath, readText } from '../domain/json.ts';
import type { KubernetesClient, KubernetesObject, ResourceKind } from '../kubernetes/kubernetes-client.ts';
import { KubernetesError } from '../kubernetes/kubernetes-error.ts';
import { agentLayout } from './agent-layout.ts';
import type { AgentConfiguration, AgentTarget, ConfigurationMark } from './runtime-agent.ts';

const name = 'compass-agent-configuration';
/** Where the agent puts the certificate of the applications' gateway. It does not make the namespace itself. */
const gatewayNamespace = 'istio-system';
const markAnnotation = 'kcp.provisioner.kyma-project.io/reconnect';
const requestedAnnotation = 'kcp.provisioner.kyma-project.io/token-requested-at';

const kinds = {
  Secret: { apiVersion: 'v1', plural: 'secrets', namespaced: true },
  ConfigMap: { apiVersion: 'v1', plural: 'configmaps', namespaced: true },
} as const satisfies Record<string, ResourceKind>;
const namespaces: ResourceKind = { apiVersion: 'v1', plural: 'namespaces', namespaced: false };

/** All that the agent reads, in one request, after the namespaces are there in which it writes. */
export async function writeConfiguration(
  { cluster, kyma, signal }: AgentTarget,
  configuration: AgentConfiguration,
): Promise<void> {
  const { namespace, configuration: kind } = agentLayout(kyma);
  await ensureNamespace(cluster, namespace, signal);
  await ensureNamespace(cluster, gatewayNamespace, signal);
  const { runtimeId, tenant, token, connectorURL, mark } = configuration;
  const values = { CONNECTOR_URL: connectorURL, RUNTIME_ID: runtimeId, TENANT: tenant, TOKEN: token.reveal() };
  const annotations = mark && {
    [markAnnotation]: mark.name,
    [requestedAnnotation]: mark.tokenRequestedAt.toISOString(),
  };
  const object: KubernetesObject = {
    apiVersion: 'v1',
    kind,
    metadata: { name, namespace, ...(annotations && { annotations }) },
    ...(kind === 'Secret' ? { type: 'Opaque', data: inBase64(values) } : { data: values }),
  };
  await cluster.apply(object, { kind: kinds[kind], force: true, signal });
}

/** Undefined when there is no configuration, or one that is not marked, or that somebody emptied. */
export async function readMark({ cluster, kyma, signal }: AgentTarget): Promise<ConfigurationMark | undefined> {
  const { namespace, configuration: kind } = agentLayout(kyma);
  const found = await cluster.get({ ...kinds[kind], namespace, name }, { signal });
  const mark = readText(found, 'metadata', 'annotations', markAnnotation);
  const requestedAt = new Date(readText(found, 'metadata', 'annotations', requestedAnnotation) ?? Number.NaN);
  if (mark === undefined || Number.isNaN(requestedAt.getTime()) || !readPath(found, 'data', 'TOKEN')) return undefined;
  return { name: mark, tokenRequestedAt: requestedAt };
}

function inBase64(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, Buffer.from(value).toString('base64')]));
}

/** Created, not applied: its labels belong to others. */
async function ensureNamespace(cluster: KubernetesClient, namespace: string, signal: AbortSignal): Promise<void> {
  if (await cluster.get({ ...namespaces, name: namespace }, { signal })) return;
  try {
    await cluster.create(
      namespaces,
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
      { signal },
    );
  } catch (error) {
    if (!(error instanceof KubernetesError) || error.reason !== 'AlreadyExists') throw error;
  }
}
