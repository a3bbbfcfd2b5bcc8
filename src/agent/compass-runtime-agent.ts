import { readPath, readRecords, readText } from '../domain/json.ts';
import type {
  KubernetesClient,
  KubernetesObject,
  ObjectReference,
  ResourceKind,
} from '../kubernetes/kubernetes-client.ts';
import { KubernetesError } from '../kubernetes/kubernetes-error.ts';
import type { ConnectionObservation, RuntimeAgent } from './runtime-agent.ts';

const agentNamespace = 'kyma-system';
/** Where the agent puts the certificate of the applications' gateway. It does not make the namespace itself. */
const gatewayNamespace = 'istio-system';

const secrets: ResourceKind = { apiVersion: 'v1', plural: 'secrets', namespaced: true };
const namespaces: ResourceKind = { apiVersion: 'v1', plural: 'namespaces', namespaced: false };
const connection: ObjectReference = {
  apiVersion: 'compass.kyma-project.io/v1alpha1',
  plural: 'compassconnections',
  namespaced: false,
  name: 'compass-connection',
};
const deployment: ObjectReference = {
  apiVersion: 'apps/v1',
  plural: 'deployments',
  namespaced: true,
  namespace: agentNamespace,
  name: 'compass-runtime-agent',
};

/** Connected, though the last step of a synchronisation failed; the agent tries it again by itself. */
const warnings: Readonly<Record<string, string>> = {
  SynchronizationFailed: 'the last synchronisation with the Director failed',
  MetadataUpdateFailed: "the Runtime's addresses could not be told to the Director",
  ResourceApplicationFailed: 'the applications could not be written to the cluster',
};

/** The Compass Runtime Agent of the module application-connector: it reads a Secret and reports in a CompassConnection. */
export const compassRuntimeAgent: RuntimeAgent = {
  async configure(cluster, { runtimeId, tenant, token, connectorURL }, signal) {
    await ensureNamespace(cluster, agentNamespace, signal);
    await ensureNamespace(cluster, gatewayNamespace, signal);
    const values = { CONNECTOR_URL: connectorURL, RUNTIME_ID: runtimeId, TENANT: tenant, TOKEN: token.reveal() };
    const data = Object.entries(values).map(([key, value]) => [key, Buffer.from(value).toString('base64')]);
    const secret: KubernetesObject = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'compass-agent-configuration', namespace: agentNamespace },
      type: 'Opaque',
      data: Object.fromEntries(data),
    };
    await cluster.apply(secret, { kind: secrets, force: true, signal });
  },

  async observe(cluster, signal) {
    const found = await cluster.get(connection, { signal });
    const seen = found && judge(found);
    if (seen && seen.state !== 'pending') return seen;
    const trouble = await agentTrouble(cluster, signal);
    const message = seen?.message ?? 'Runtime Agent has not tried to connect yet';
    return { state: 'pending', message: trouble ? `${message}; ${trouble}` : message };
  },
};

/** What a CompassConnection says. Its `error` fields outlive what they tell of, so only the state decides. */
function judge(found: KubernetesObject): ConnectionObservation {
  const state = readText(found, 'status', 'connectionState');
  if (found.metadata.deletionTimestamp) return { state: 'pending', message: 'Runtime Agent is about to connect anew' };
  switch (state) {
    case 'Synchronized':
      return { state: 'connected', message: 'Runtime Agent is connected' };
    case 'SynchronizationFailed':
    case 'MetadataUpdateFailed':
    case 'ResourceApplicationFailed':
      return { state: 'connected', message: 'Runtime Agent is connected', warning: warning(state, found) };
    case 'Connected':
      return { state: 'pending', message: 'Runtime Agent is connected, not synchronised yet' };
    case 'ConnectionFailed':
    case 'ConnectionMaintenanceFailed':
      return {
        state: 'disconnected',
        message: 'Runtime Agent is not connected',
        error: readText(found, 'status', 'connectionStatus', 'error') ?? `connection state is ${state}`,
      };
    default:
      return { state: 'pending', message: `Runtime Agent reports ${state ?? 'no state yet'}` };
  }
}

function warning(state: string, found: KubernetesObject): string {
  const error = readText(found, 'status', 'synchronizationStatus', 'error');
  return `Runtime Agent is connected, but ${warnings[state]} (${state})${error ? `: ${error}` : ''}`;
}

/** Why the agent says nothing, when its Deployment tells. */
async function agentTrouble(cluster: KubernetesClient, signal: AbortSignal): Promise<string | undefined> {
  const found = await cluster.get(deployment, { signal });
  if (!found) return `its Deployment ${agentNamespace}/${deployment.name} does not exist`;
  if (readPath(found, 'spec', 'replicas') === 0)
    return `its Deployment ${agentNamespace}/${deployment.name} is not started yet`;
  const available = readRecords(found, 'status', 'conditions').find(({ type }) => type === 'Available');
  if (available?.status === 'True') return undefined;
  const reason = readText(available, 'message') ?? 'no Pod is ready';
  return `its Deployment ${agentNamespace}/${deployment.name} is not available: ${reason}`;
}

/** Created, not applied: its labels belong to others. */
async function ensureNamespace(cluster: KubernetesClient, name: string, signal: AbortSignal): Promise<void> {
  if (await cluster.get({ ...namespaces, name }, { signal })) return;
  try {
    await cluster.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }, { signal });
  } catch (error) {
    if (!(error instanceof KubernetesError) || error.reason !== 'AlreadyExists') throw error;
  }
}
