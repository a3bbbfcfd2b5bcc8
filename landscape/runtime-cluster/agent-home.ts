import type { KubernetesApi } from '../kubernetes/kubernetes-api.ts';
import type { KubeObject } from '../kubernetes/resource-type.ts';
import { agentDeployment, agentNamespace, agentSecret } from './application-connector.ts';

/** Where an agent lives and what it reads, which both depend on the Kyma that it came with. */
export interface AgentHome {
  readonly namespace: string;
  readonly configuration: 'secrets' | 'configmaps';
}

/** Up to 2.11; then kyma-system. */
const earlierNamespace = 'compass-system';

/** By the agent's Deployment; its image tells the release of Kyma 1. */
export function agentHome(cluster: KubernetesApi): AgentHome {
  const earlier = cluster.read('deployments', earlierNamespace, agentDeployment);
  if (earlier === undefined) return { namespace: agentNamespace, configuration: 'secrets' };
  const image: string = earlier.spec.template?.spec?.containers?.[0]?.image ?? '';
  const [, major, minor] = /:v?(\d+)\.(\d+)\b/.exec(image) ?? [];
  const readsConfigMap = major === '1' && Number(minor) <= 12;
  return { namespace: earlierNamespace, configuration: readsConfigMap ? 'configmaps' : 'secrets' };
}

/** What the agent is told. A ConfigMap has it in clear. */
export function agentSettings(cluster: KubernetesApi): Record<string, string> {
  const { namespace, configuration } = agentHome(cluster);
  const data: Record<string, string> = cluster.read(configuration, namespace, agentSecret)?.data ?? {};
  if (configuration === 'configmaps') return data;
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]));
}

export function readAgentDeployment(cluster: KubernetesApi): KubeObject | undefined {
  return cluster.read('deployments', agentHome(cluster).namespace, agentDeployment);
}
