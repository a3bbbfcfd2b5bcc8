import type { OperationKind } from '../../src/domain/operation.ts';
import { documents } from '../chaos/documents.ts';
import { leaveBrokeredService, leaveLoadBalancer } from './leave-behind.ts';

/** Something that is done with a Runtime. */
export interface LifeStep {
  readonly kind: OperationKind;
  readonly document: string;
  /** What it is sent with beside the Runtime's id. */
  readonly config?: object;
  /** What its user does before, with the cluster's kubeconfig. */
  readonly before?: (kubeconfig: string) => Promise<void>;
}

/** All that can be done with a Runtime of one driver and one installer, in an order in which it can. */
export interface Life {
  readonly name: string;
  /** What `provisionRuntime` is sent. */
  readonly order: object;
  /** After Provision. */
  readonly steps: readonly LifeStep[];
}

const runtimeInput = { name: 'crash' };
const administrators = ['admin@example.com'];
const gardenerConfig = {
  ...{ name: 'crash', provider: 'gcp', targetSecret: 'gcp-credentials', region: 'europe-west3' },
  ...{ kubernetesVersion: '1.34.2', workerCidr: '10.250.0.0/22', autoScalerMin: 2, autoScalerMax: 4 },
  providerSpecificConfig: { gcpConfig: { zones: ['europe-west3-a'] } },
};
const gcpConfig = {
  ...{ name: 'crash', projectName: 'my-project', kubernetesVersion: '1.34', region: 'europe-west3-a' },
};
const modules = {
  version: 'fast',
  components: [
    { component: 'istio', namespace: 'kyma-system' },
    { component: 'application-connector', namespace: 'kyma-system' },
  ],
};
const kymaOne = {
  version: '1.23.0',
  components: [
    { component: 'cluster-essentials', namespace: 'kyma-system' },
    { component: 'istio', namespace: 'istio-system' },
    { component: 'service-catalog', namespace: 'kyma-system' },
    { component: 'compass-runtime-agent', namespace: 'compass-system' },
  ],
};

const reconnect: LifeStep = { kind: 'ReconnectRuntime', document: documents.reconnect };
const deprovision: LifeStep = { kind: 'Deprovision', document: documents.deprovision };
const upgradeTo = (config: object): LifeStep => ({ kind: 'Upgrade', document: documents.upgrade, config });

/** Every stage of every flow is needed in one of them. */
export const lives: readonly Life[] = [
  {
    name: 'gardener',
    order: { runtimeInput, clusterConfig: { gardenerConfig, administrators }, kymaConfig: modules },
    steps: [
      reconnect,
      {
        ...{ kind: 'UpgradeShoot', document: documents.upgradeShoot },
        config: { administrators: ['other@example.com'], gardenerConfig: { autoScalerMax: 5 } },
      },
      upgradeTo({ kymaConfig: { version: '1.2.0' }, clusterConfig: { kubernetesVersion: '1.35.1' } }),
      { kind: 'Hibernate', document: documents.hibernate },
      { kind: 'WakeUp', document: documents.wakeUp },
      deprovision,
    ],
  },
  {
    name: 'gke',
    order: {
      ...{ runtimeInput, clusterConfig: { gcpConfig, administrators }, kymaConfig: modules },
      credentials: { secretName: 'gcp-secret' },
    },
    steps: [
      reconnect,
      upgradeTo({ kymaConfig: { version: '1.2.0' }, clusterConfig: { kubernetesVersion: '1.35' } }),
      { ...deprovision, before: leaveLoadBalancer },
    ],
  },
  {
    name: 'kyma-1',
    order: { runtimeInput, clusterConfig: { gardenerConfig, administrators }, kymaConfig: kymaOne },
    steps: [
      reconnect,
      upgradeTo({ kymaConfig: { version: '1.24.11' } }),
      { ...deprovision, before: leaveBrokeredService },
    ],
  },
];
