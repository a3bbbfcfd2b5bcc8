import { isDeepStrictEqual } from 'node:util';
import type { KubernetesApi } from '../kubernetes/kubernetes-api.ts';
import type { KubeObject, ResourceType, SubresourceRequest } from '../kubernetes/resource-type.ts';
import type { GardenAge } from './garden-age.ts';
import { admitShoot, operationAnnotation } from './shoot-admission.ts';
import { shootSchemaOf } from './shoot-schema.ts';

export interface ShootTypeOptions {
  /** The API that serves the type, once it exists. */
  readonly garden: () => KubernetesApi;
  readonly issueKubeconfig: (request: SubresourceRequest, role: 'admin' | 'viewer') => Promise<KubeObject>;
  readonly age?: GardenAge;
}

/** `shoots.core.gardener.cloud`. */
export function shootType({ garden, issueKubeconfig, age = 'today' }: ShootTypeOptions): ResourceType {
  return {
    group: 'core.gardener.cloud',
    version: 'v1beta1',
    kind: 'Shoot',
    plural: 'shoots',
    singular: 'shoot',
    namespaced: true,
    statusSubresource: true,
    schema: shootSchemaOf(age),
    columns: [
      { name: 'CloudProfile', type: 'string', value: ({ spec }) => spec.cloudProfile?.name ?? spec.cloudProfileName },
      { name: 'Provider', type: 'string', value: ({ spec }) => spec.provider?.type },
      { name: 'Region', type: 'string', value: ({ spec }) => spec.region },
      { name: 'K8S Version', type: 'string', value: ({ spec }) => spec.kubernetes?.version },
      { name: 'Hibernation', type: 'string', value: hibernation },
      { name: 'Last Operation', type: 'string', value: lastOperation },
      { name: 'Status', type: 'string', value: ({ metadata }) => metadata.labels?.['shoot.gardener.cloud/status'] },
      { name: 'Purpose', type: 'string', value: ({ spec }) => spec.purpose, priority: 1 },
      { name: 'Gardener Version', type: 'string', value: ({ status }) => status?.gardener?.version, priority: 1 },
      { name: 'APIServer', type: 'string', value: condition('APIServerAvailable'), priority: 1 },
      { name: 'Control', type: 'string', value: condition('ControlPlaneHealthy'), priority: 1 },
      { name: 'Observability', type: 'string', value: condition('ObservabilityComponentsHealthy'), priority: 1 },
      { name: 'Nodes', type: 'string', value: condition('EveryNodeReady'), priority: 1 },
      { name: 'System', type: 'string', value: condition('SystemComponentsHealthy'), priority: 1 },
    ],
    fieldSelectors: {
      'spec.seedName': ({ spec }) => spec.seedName ?? '',
      'status.seedName': ({ status }) => status?.seedName ?? '',
      'spec.cloudProfileName': ({ spec }) => spec.cloudProfileName ?? '',
      'spec.cloudProfile.Name': ({ spec }) => spec.cloudProfile?.name ?? '',
      'spec.cloudProfile.Kind': ({ spec }) => spec.cloudProfile?.kind ?? '',
    },
    admit: (request) => admitShoot(request, garden(), age),
    raisesGeneration,
    subresources: {
      adminkubeconfig: (request) => issueKubeconfig(request, 'admin'),
      viewerkubeconfig: (request) => issueKubeconfig(request, 'viewer'),
    },
  };
}

/**
 * The operation annotation asks for another run without a change of the spec; it raises the generation and vanishes in
 * the same write, hence from here. `retry` counts only in the state Failed, and stays where it is otherwise.
 */
function raisesGeneration(old: KubeObject, shoot: KubeObject): boolean {
  const specChanged = !isDeepStrictEqual(old.spec, shoot.spec);
  const confined = shoot.spec.maintenance?.confineSpecUpdateRollout === true;
  const hibernates = Boolean(old.spec.hibernation?.enabled) !== Boolean(shoot.spec.hibernation?.enabled);
  const bound = old.spec.seedName !== shoot.spec.seedName;
  return takeOperation(shoot) || (specChanged && (!confined || hibernates || bound));
}

function takeOperation(shoot: KubeObject): boolean {
  const { annotations } = shoot.metadata;
  const operation = annotations?.[operationAnnotation];
  if (!annotations || operation === undefined) return false;
  const failed = shoot.status?.lastOperation?.state === 'Failed';
  const wanted = operation === 'retry' ? failed : operation === 'reconcile' && shoot.status?.lastOperation && !failed;
  if (!wanted) return false;
  delete annotations[operationAnnotation];
  return true;
}

function hibernation({ spec, status }: KubeObject): string {
  const wanted = spec.hibernation?.enabled === true;
  const actual = status?.hibernated === true;
  if (wanted === actual) return wanted ? 'Hibernated' : 'Awake';
  return wanted ? 'Hibernating' : 'Waking Up';
}

function lastOperation({ status }: KubeObject): string {
  const operation = status?.lastOperation;
  return operation ? `${operation.type} ${operation.state} (${operation.progress}%)` : '<pending>';
}

function condition(type: string) {
  return ({ status }: KubeObject): string =>
    status?.conditions?.find((one: { type: string }) => one.type === type)?.status ?? '<unknown>';
}
