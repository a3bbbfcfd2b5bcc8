import type { KubernetesApi } from '../kubernetes/kubernetes-api.ts';
import { applicationConnectorScript } from './application-connector.ts';
import { istioCrdsAreServed, istioScript } from './istio.ts';

export interface Obstacle {
  readonly state: 'Error' | 'Warning';
  readonly description: string;
}

/** What one module's manager does, besides the ways that all managers have in common. */
export interface ModuleScript {
  /** Qualified plural of its resource. */
  readonly resource: string;
  readonly manager: string;
  readonly finalizer: string;
  /** The condition that it reports; managers do not agree on one. */
  readonly condition: string;
  readonly reportsObservedGeneration: boolean;
  /** Why it cannot work now; looked at again when something in the cluster changes. */
  readonly obstacle?: (cluster: KubernetesApi) => Obstacle | undefined;
  /** A Secret of which its obstacle may tell. */
  readonly readsSecret?: string;
  readonly install?: (cluster: KubernetesApi) => void;
  /** Why its resource cannot go yet. */
  readonly blocksDeletion?: (cluster: KubernetesApi) => string | undefined;
  readonly uninstall?: (cluster: KubernetesApi) => void;
}

export const moduleScripts: readonly ModuleScript[] = [
  istioScript,
  applicationConnectorScript,
  {
    resource: 'apigateways.operator.kyma-project.io',
    manager: 'api-gateway-controller-manager',
    finalizer: 'gateways.operator.kyma-project.io/api-gateway-reconciliation',
    condition: 'Ready',
    reportsObservedGeneration: false,
    obstacle: (cluster) =>
      istioCrdsAreServed(cluster)
        ? undefined
        : { state: 'Warning', description: 'Istio custom resource definitions are missing' },
  },
  {
    resource: 'serverlesses.operator.kyma-project.io',
    manager: 'serverless-operator',
    finalizer: 'serverless-operator.kyma-project.io/deletion-hook',
    condition: 'Installed',
    reportsObservedGeneration: true,
    obstacle: registryTrouble,
    readsSecret: 'serverless-external-registry',
  },
];

/** A registry of one's own needs its credentials. */
function registryTrouble(cluster: KubernetesApi): Obstacle | undefined {
  const [resource] = cluster.list('serverlesses.operator.kyma-project.io');
  const name: string | undefined = resource?.spec?.dockerRegistry?.secretName;
  if (name === undefined) return undefined;
  const data = cluster.read('secrets', 'kyma-system', name)?.data ?? {};
  const missing = ['username', 'password'].filter((key) => data[key] === undefined);
  if (missing.length === 0) return undefined;
  return { state: 'Warning', description: `the Secret ${name} has no ${missing.join(' and no ')}` };
}
