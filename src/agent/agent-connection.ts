import { readText } from '../domain/json.ts';
import type { KubernetesObject, ObjectReference } from '../kubernetes/kubernetes-client.ts';
import type { AgentConnection, ConnectionObservation } from './runtime-agent.ts';

export const connectionReference: ObjectReference = {
  apiVersion: 'compass.kyma-project.io/v1alpha1',
  plural: 'compassconnections',
  namespaced: false,
  name: 'compass-connection',
};

/** Connected, though the last step of a synchronisation failed; the agent tries it again by itself. */
const warnings: Readonly<Record<string, string>> = {
  SynchronizationFailed: 'the last synchronisation with the Director failed',
  MetadataUpdateFailed: "the Runtime's addresses could not be told to the Director",
  ResourceApplicationFailed: 'the applications could not be written to the cluster',
};

export function readConnection(found: KubernetesObject): AgentConnection {
  const { uid = '', deletionTimestamp } = found.metadata;
  return {
    uid,
    state: readText(found, 'status', 'connectionState'),
    established: readText(found, 'status', 'connectionStatus', 'established'),
    lastSync: readText(found, 'status', 'connectionStatus', 'lastSync'),
    error: readText(found, 'status', 'connectionStatus', 'error'),
    synchronizationError: readText(found, 'status', 'synchronizationStatus', 'error'),
    deleting: deletionTimestamp !== undefined,
  };
}

/** What a CompassConnection says. Its `error` fields outlive what they tell of, so only the state decides. */
export function judgeConnection(connection: AgentConnection): ConnectionObservation {
  const { state, error, deleting } = connection;
  if (deleting) return { state: 'pending', message: 'Runtime Agent is about to connect anew' };
  switch (state) {
    case 'Synchronized':
      return { state: 'connected', message: 'Runtime Agent is connected' };
    case 'SynchronizationFailed':
    case 'MetadataUpdateFailed':
    case 'ResourceApplicationFailed':
      return { state: 'connected', message: 'Runtime Agent is connected', warning: warningOf(connection) };
    case 'Connected':
      return { state: 'pending', message: 'Runtime Agent is connected, not synchronised yet' };
    case 'ConnectionFailed':
    case 'ConnectionMaintenanceFailed':
      return {
        state: 'disconnected',
        message: 'Runtime Agent is not connected',
        error: error ?? `connection state is ${state}`,
      };
    default:
      return { state: 'pending', message: `Runtime Agent reports ${state ?? 'no state yet'}` };
  }
}

function warningOf({ state = '', synchronizationError }: AgentConnection): string {
  const words = synchronizationError === undefined ? '' : `: ${synchronizationError}`;
  return `Runtime Agent is connected, but ${warnings[state]} (${state})${words}`;
}
