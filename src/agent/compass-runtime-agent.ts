import { createHash } from 'node:crypto';
import { readRecords, readText } from '../domain/json.ts';
import type { ObjectReference } from '../kubernetes/kubernetes-client.ts';
import { isObjectNotFound } from '../kubernetes/kubernetes-error.ts';
import { readMark, writeConfiguration } from './agent-configuration.ts';
import { connectionReference, judgeConnection, readConnection } from './agent-connection.ts';
import { agentLayout } from './agent-layout.ts';
import { type AgentTrouble, deploymentReference, findTrouble } from './agent-trouble.ts';
import type { AgentConnection, AgentTarget, ConnectionObservation, RuntimeAgent } from './runtime-agent.ts';

const nudgeAnnotation = 'kcp.provisioner.kyma-project.io/reconnect';
const definition: ObjectReference = {
  apiVersion: 'apiextensions.k8s.io/v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
  name: 'compassconnections.compass.kyma-project.io',
};

/** The Compass Runtime Agent of any Kyma: it reads a Secret or a ConfigMap, and reports in a CompassConnection. */
export const compassRuntimeAgent: RuntimeAgent = {
  configure: writeConfiguration,
  configurationMark: readMark,

  trouble: async (target) => (await findTrouble(target))?.message,

  async observe(target) {
    const connection = await findConnection(target);
    const seen = connection && judgeConnection(connection);
    if (seen?.state === 'disconnected') return seen;
    const trouble = await findTrouble(target);
    const known = seen ?? { state: 'pending', message: 'Runtime Agent has not tried to connect yet' };
    return trouble ? withTrouble(known, trouble) : known;
  },

  async look(target) {
    const [connection, certificate] = await Promise.all([findConnection(target), certificateDigest(target)]);
    return { connection, certificate };
  },

  async obstacle(target) {
    const { cluster, signal } = target;
    const [served, deployment] = await Promise.all([
      cluster.get(definition, { signal }),
      cluster.get(deploymentReference(target), { signal }),
    ]);
    if (!deployment) {
      const { namespace, name } = deploymentReference(target);
      return `there is no Runtime Agent in the cluster: Deployment ${namespace}/${name} does not exist`;
    }
    const established = readRecords(served, 'status', 'conditions').find(({ type }) => type === 'Established');
    if (established?.status === 'True') return undefined;
    return `the cluster does not serve the kind CompassConnection, in which the Runtime Agent reports: ${definition.name} is missing`;
  },

  async forgetConnection({ cluster, signal }, uid) {
    await cluster.delete(connectionReference, { uid, signal });
  },

  async nudge({ cluster, signal }, mark) {
    const patch = { metadata: { annotations: { [nudgeAnnotation]: mark } } };
    await cluster.patch(connectionReference, patch, { signal }).catch((error: unknown) => {
      // Without a connection the agent tries in any case.
      if (!isObjectNotFound(error)) throw error;
    });
  },

  async hurry({ cluster, signal }, now) {
    await cluster.patch(connectionReference, { spec: { resyncNow: now } }, { signal });
  },
};

/** An agent that is gone leaves its last words behind, and what it said then holds no more. */
function withTrouble(
  seen: Exclude<ConnectionObservation, { state: 'disconnected' }>,
  { missing, message }: AgentTrouble,
): ConnectionObservation {
  if (seen.state === 'pending') return { ...seen, message: `${seen.message}; ${message}`, trouble: message };
  if (missing) return { state: 'disconnected', message: 'Runtime Agent is gone', error: message };
  const warning = `Runtime Agent was connected, but does not run now: ${message}`;
  return { ...seen, warning: seen.warning === undefined ? warning : `${seen.warning}; ${warning}` };
}

async function findConnection({ cluster, signal }: AgentTarget): Promise<AgentConnection | undefined> {
  const found = await cluster.get(connectionReference, { signal });
  return found && readConnection(found);
}

/** The certificate itself is no secret, but it is large. */
async function certificateDigest({ cluster, kyma, signal }: AgentTarget): Promise<string | undefined> {
  const { namespace } = agentLayout(kyma);
  const reference = { apiVersion: 'v1', plural: 'secrets', namespaced: true, namespace } as const;
  const found = await cluster.get({ ...reference, name: 'cluster-client-certificates' }, { signal });
  const certificate = readText(found, 'data', 'crt');
  return certificate && createHash('sha256').update(certificate).digest('hex');
}
