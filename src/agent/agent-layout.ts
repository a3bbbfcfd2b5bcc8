import type { AgentKyma } from './runtime-agent.ts';

/** Where an agent lives, and what it reads. Its namespace for certificates of the gateway is always istio-system. */
export interface AgentLayout {
  readonly namespace: 'compass-system' | 'kyma-system';
  /** The kind of the object `compass-agent-configuration`. */
  readonly configuration: 'Secret' | 'ConfigMap';
}

const today: AgentLayout = { namespace: 'kyma-system', configuration: 'Secret' };

/**
 * By the release of Kyma: up to 1.12 the agent reads a ConfigMap, and up to 2.11 it lives in compass-system (read in the
 * sources of Kyma 1.6 to 2.20). Modules, and whatever is no release of Kyma 1 or 2, are as today.
 */
export function agentLayout({ installer, version }: AgentKyma): AgentLayout {
  const [, major, minor] = (installer !== 'modules' && /^v?(\d+)\.(\d+)(?!\d)/.exec(version)) || [];
  if (major === '1') {
    return { namespace: 'compass-system', configuration: Number(minor) <= 12 ? 'ConfigMap' : 'Secret' };
  }
  return major === '2' && Number(minor) < 12 ? { ...today, namespace: 'compass-system' } : today;
}
