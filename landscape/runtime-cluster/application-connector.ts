import { ensure, openDefinition, simpleDeployment } from './ensure.ts';
import { istioCrdsAreServed } from './istio.ts';
import type { ModuleScript } from './module-scripts.ts';

export const agentNamespace = 'kyma-system';
export const agentDeployment = 'compass-runtime-agent';
export const agentSecret = 'compass-agent-configuration';
export const connectionType = 'compassconnections.compass.kyma-project.io';

/** The module that brings the Runtime Agent; the agent sleeps (0 replicas) until its Secret is there. */
export const applicationConnectorScript: ModuleScript = {
  resource: 'applicationconnectors.operator.kyma-project.io',
  manager: 'application-connector-controller-manager',
  finalizer: 'application-connector-manager.kyma-project.io/deletion-hook',
  condition: 'Installed',
  reportsObservedGeneration: false,
  obstacle: (cluster) =>
    istioCrdsAreServed(cluster)
      ? undefined
      : {
          state: 'Error',
          description: 'no matches for kind "VirtualService" in version "networking.istio.io/v1": install Istio first',
        },
  install(cluster) {
    ensure(
      cluster,
      'customresourcedefinitions',
      openDefinition({
        group: 'compass.kyma-project.io',
        version: 'v1alpha1',
        kind: 'CompassConnection',
        plural: 'compassconnections',
        scope: 'Cluster',
      }),
    );
    const gateway = 'central-application-gateway';
    ensure(
      cluster,
      'deployments',
      simpleDeployment(agentNamespace, gateway, `landscape.example/kyma-project/${gateway}:1.2.0`),
    );
    const replicas = cluster.read('secrets', agentNamespace, agentSecret) ? 1 : 0;
    ensure(
      cluster,
      'deployments',
      simpleDeployment(
        agentNamespace,
        agentDeployment,
        `landscape.example/kyma-project/${agentDeployment}:1.2.0`,
        replicas,
      ),
    );
  },
  uninstall(cluster) {
    for (const name of [agentDeployment, 'central-application-gateway'])
      cluster.remove('deployments', agentNamespace, name);
    cluster.remove('customresourcedefinitions', undefined, connectionType);
  },
};
