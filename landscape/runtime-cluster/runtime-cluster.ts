import { KubernetesApi } from '../kubernetes/kubernetes-api.ts';
import type { Pace } from '../pace.ts';
import { rollOut } from './deployments.ts';
import { ModuleManager } from './module-manager.ts';
import { moduleScripts } from './module-scripts.ts';
import { type AgentBackend, RuntimeAgent } from './runtime-agent.ts';

export interface RuntimeCluster {
  readonly technicalId: string;
  readonly api: KubernetesApi;
  close(): void;
}

export interface RuntimeClusterOptions {
  readonly technicalId: string;
  readonly kubernetesVersion: string;
  readonly pace: Pace;
  readonly agentBackend: AgentBackend;
}

/** The cluster of one Shoot: an API of its own, and the actors of the modules that somebody may install. */
export function createRuntimeCluster({
  technicalId,
  kubernetesVersion,
  pace,
  agentBackend,
}: RuntimeClusterOptions): RuntimeCluster {
  const api = new KubernetesApi({ name: `clusters/${technicalId}`, kubernetesVersion, establishDelayMilliseconds: 5 });
  const actors = [
    ...moduleScripts.map((script) => new ModuleManager(api, script, pace)),
    new RuntimeAgent(api, agentBackend, pace),
  ];
  const unsubscribe = api.store.subscribe((event) => {
    if (event.resource === 'deployments.apps' && event.type !== 'DELETED') void rollOut(api, event.object, pace);
    for (const actor of actors) actor.changed(event);
  });
  return {
    technicalId,
    api,
    close() {
      unsubscribe();
      api.close();
    },
  };
}
