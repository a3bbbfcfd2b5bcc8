import { KubernetesApi } from '../kubernetes/kubernetes-api.ts';
import type { Pace } from '../pace.ts';
import type { AgentFates } from './agent-fates.ts';
import { BrokeredServices } from './brokered-services.ts';
import { rollOut } from './deployments.ts';
import { KymaInstaller } from './kyma-installer.ts';
import { ModuleManager } from './module-manager.ts';
import { moduleScripts } from './module-scripts.ts';
import { type AgentBackend, RuntimeAgent } from './runtime-agent.ts';
import { ServiceCatalog } from './service-catalog.ts';

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
  readonly agentFates?: AgentFates;
  /** What brokers of services make; of this cluster alone when not given. */
  readonly brokeredServices?: BrokeredServices;
}

/** The cluster of one Shoot: an API of its own, and the actors of the modules that somebody may install. */
export function createRuntimeCluster({
  technicalId,
  kubernetesVersion,
  pace,
  agentBackend,
  agentFates,
  brokeredServices = new BrokeredServices(),
}: RuntimeClusterOptions): RuntimeCluster {
  const api = new KubernetesApi({ name: `clusters/${technicalId}`, kubernetesVersion, establishDelayMilliseconds: 5 });
  const agent = new RuntimeAgent(api, agentBackend, pace, agentFates);
  const actors = [
    ...moduleScripts.map((script) => new ModuleManager(api, script, pace)),
    new KymaInstaller(api, pace),
    new ServiceCatalog(api, brokeredServices, pace),
    agent,
  ];
  const forgetFates = agentFates?.subscribe(() => agent.fateChanged());
  const unsubscribe = api.store.subscribe((event) => {
    if (event.resource === 'deployments.apps' && event.type !== 'DELETED') void rollOut(api, event.object, pace);
    for (const actor of actors) actor.changed(event);
  });
  return {
    technicalId,
    api,
    close() {
      unsubscribe();
      forgetFates?.();
      api.close();
    },
  };
}
