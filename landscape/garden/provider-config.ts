import type { KubeObject } from '../kubernetes/resource-type.ts';
import { validateAws } from './aws-config.ts';
import { validateAzure } from './azure-config.ts';
import { type FieldError, required } from './field-errors.ts';
import { validateGcp } from './gcp-config.ts';
import { validateOpenstack } from './openstack-config.ts';
import { awsUpdate, azureUpdate, gcpUpdate, openstackUpdate } from './provider-update.ts';

export interface ProviderConfigs {
  readonly spec: KubeObject['spec'];
  readonly infrastructure: KubeObject['spec'];
  readonly controlPlane: KubeObject['spec'] | undefined;
  /** Of the CloudProfile. */
  readonly profileConfig: KubeObject['spec'] | undefined;
}

interface ProviderRules {
  /** Every field that the strict decoder knows, with dots for nesting and `[]` for lists. */
  readonly infrastructureFields: readonly string[];
  readonly controlPlaneFields: readonly string[];
  readonly controlPlaneRequired: boolean;
  /** Of the WorkerConfig; a provider without any takes none. */
  readonly workerFields?: readonly string[];
  readonly validate: (configs: ProviderConfigs) => FieldError[];
  readonly validateUpdate?: (old: ProviderConfigs, configs: ProviderConfigs) => FieldError[];
}

const typeMeta = ['apiVersion', 'kind'];
const infrastructurePath = 'spec.provider.infrastructureConfig';
const controlPlanePath = 'spec.provider.controlPlaneConfig';

/** What the provider extensions' admission webhooks check. A provider without rules is served by none. */
const providers: Readonly<Record<string, ProviderRules>> = {
  gcp: {
    infrastructureFields: [
      ...typeMeta,
      'networks',
      ...['vpc', 'cloudNAT', 'internal', 'worker', 'workers', 'flowLogs', 'mtu', 'dualStack'].map(
        (name) => `networks.${name}`,
      ),
      ...['name', 'cloudRouter', 'cloudRouter.name', 'enablePrivateGoogleAccess'].map((name) => `networks.vpc.${name}`),
      ...[
        'minPortsPerVM',
        'maxPortsPerVM',
        'enableDynamicPortAllocation',
        'natIPNames',
        'endpointIndependentMapping',
      ].map((name) => `networks.cloudNAT.${name}`),
    ],
    controlPlaneFields: [
      ...typeMeta,
      'zone',
      'cloudControllerManager',
      'cloudControllerManager.featureGates',
      'storage',
    ],
    controlPlaneRequired: true,
    validate: validateGcp,
    validateUpdate: gcpUpdate,
  },
  azure: {
    infrastructureFields: [
      ...typeMeta,
      'resourceGroup',
      'resourceGroup.name',
      'zoned',
      'identity',
      'networks',
      ...['vnet', 'workers', 'natGateway', 'serviceEndpoints', 'zones'].map((name) => `networks.${name}`),
      ...['name', 'resourceGroup', 'cidr', 'ddosProtectionPlanID'].map((name) => `networks.vnet.${name}`),
      ...['enabled', 'idleConnectionTimeoutMinutes', 'zone', 'ipAddresses'].map(
        (name) => `networks.natGateway.${name}`,
      ),
      ...[
        'name',
        'cidr',
        'serviceEndpoints',
        'natGateway',
        'natGateway.enabled',
        'natGateway.idleConnectionTimeoutMinutes',
        'natGateway.ipAddresses',
      ].map((name) => `networks.zones[].${name}`),
    ],
    controlPlaneFields: [...typeMeta, 'cloudControllerManager', 'cloudControllerManager.featureGates', 'storage'],
    controlPlaneRequired: false,
    validate: validateAzure,
    validateUpdate: azureUpdate,
  },
  aws: {
    infrastructureFields: [
      ...typeMeta,
      'enableECRAccess',
      'dualStack',
      'dualStack.enabled',
      'ignoreTags',
      'networks',
      ...['vpc', 'zones'].map((name) => `networks.${name}`),
      ...['id', 'cidr', 'gatewayEndpoints'].map((name) => `networks.vpc.${name}`),
      ...['name', 'internal', 'public', 'workers', 'elasticIPAllocationID'].map((name) => `networks.zones[].${name}`),
    ],
    controlPlaneFields: [
      ...typeMeta,
      'cloudControllerManager',
      'cloudControllerManager.featureGates',
      'loadBalancerController',
      'storage',
    ],
    controlPlaneRequired: false,
    workerFields: [
      ...typeMeta,
      ...['nodeTemplate', 'volume', 'volume.iops', 'volume.throughput', 'dataVolumes', 'iamInstanceProfile'],
      ...['instanceMetadataOptions', 'cpuOptions', 'capacityReservation'],
      ...['httpTokens', 'httpPutResponseHopLimit'].map((name) => `instanceMetadataOptions.${name}`),
    ],
    validate: validateAws,
    validateUpdate: awsUpdate,
  },
  openstack: {
    infrastructureFields: [
      ...typeMeta,
      'floatingPoolName',
      'floatingPoolSubnetName',
      'networks',
      ...['id', 'router', 'worker', 'workers', 'subnetId', 'subnetPool', 'shareNetwork', 'dnsServers'].map(
        (name) => `networks.${name}`,
      ),
      ...['networks.router.id', 'networks.shareNetwork.enabled'],
    ],
    controlPlaneFields: [
      ...typeMeta,
      ...['loadBalancerProvider', 'loadBalancerClasses', 'zone', 'storage'],
      ...['cloudControllerManager', 'cloudControllerManager.featureGates'],
    ],
    controlPlaneRequired: true,
    workerFields: [...typeMeta, 'nodeTemplate', 'serverGroup', 'serverGroup.policy', 'machineLabels'],
    validate: validateOpenstack,
    validateUpdate: openstackUpdate,
  },
};

export type ProviderFinding =
  | { readonly kind: 'undecodable'; readonly message: string }
  | { readonly kind: 'errors'; readonly errors: readonly FieldError[] };

/** What a provider's webhook finds wrong with a Shoot; `old` when it is an update. */
export function validateProviderConfig(
  spec: KubeObject['spec'],
  { old, profileConfig }: { old: KubeObject['spec'] | undefined; profileConfig: KubeObject['spec'] | undefined },
): ProviderFinding | undefined {
  const rules = providers[spec.provider.type];
  if (!rules || !spec.provider.workers?.length) return undefined;
  const { infrastructureConfig: infrastructure, controlPlaneConfig: controlPlane } = spec.provider;
  const missing: FieldError[] = [];
  if (!infrastructure)
    missing.push(required(infrastructurePath, `InfrastructureConfig must be set for ${spec.provider.type} shoots`));
  if (rules.controlPlaneRequired && !controlPlane) {
    missing.push(required(controlPlanePath, `ControlPlaneConfig must be set for ${spec.provider.type} shoots`));
  }
  const problem =
    decodeProblem(
      infrastructure,
      { kind: 'InfrastructureConfig', where: infrastructurePath },
      spec.provider.type,
      rules.infrastructureFields,
    ) ??
    decodeProblem(
      controlPlane,
      { kind: 'ControlPlaneConfig', where: controlPlanePath },
      spec.provider.type,
      rules.controlPlaneFields,
    ) ??
    workerConfigProblem(spec, rules.workerFields ?? typeMeta);
  if (problem) return { kind: 'undecodable', message: problem };
  if (missing.length > 0) return { kind: 'errors', errors: missing };
  const configs = { spec, infrastructure, controlPlane, profileConfig };
  const before = old && {
    spec: old,
    infrastructure: old.provider.infrastructureConfig,
    controlPlane: old.provider.controlPlaneConfig,
    profileConfig,
  };
  const errors = [...rules.validate(configs), ...(before ? (rules.validateUpdate?.(before, configs) ?? []) : [])];
  return errors.length > 0 ? { kind: 'errors', errors } : undefined;
}

function workerConfigProblem(spec: KubeObject['spec'], known: readonly string[]): string | undefined {
  const workers: KubeObject['spec'][] = spec.provider.workers;
  return workers
    .map(({ providerConfig }, index) => {
      const where = `spec.provider.workers[${index}].providerConfig`;
      return decodeProblem(providerConfig, { kind: 'WorkerConfig', where }, spec.provider.type, known);
    })
    .find((problem) => problem !== undefined);
}

function decodeProblem(
  config: KubeObject['spec'],
  { kind, where }: { kind: string; where: string },
  provider: string,
  known: readonly string[],
): string | undefined {
  if (config === undefined) return undefined;
  const apiVersion = `${provider}.provider.extensions.gardener.cloud/v1alpha1`;
  if (config.apiVersion !== apiVersion || config.kind !== kind) {
    return `could not decode '${where}': no kind "${config.kind ?? ''}" is registered for version "${config.apiVersion ?? ''}" (expected "${kind}" of "${apiVersion}")`;
  }
  const unknown = unknownFields(config, '', new Set(known));
  if (unknown.length === 0) return undefined;
  return `could not decode '${where}': strict decoding error: ${unknown.map((field) => `unknown field "${field}"`).join(', ')}`;
}

function unknownFields(value: unknown, path: string, known: ReadonlySet<string>): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => unknownFields(item, `${path}[]`, known));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => {
    const field = path === '' ? key : `${path}.${key}`;
    if (!known.has(field)) return [field.replaceAll('[]', '')];
    // What is known without known children is free-form.
    const hasChildren = [...known].some((one) => one.startsWith(`${field}.`) || one.startsWith(`${field}[]`));
    return hasChildren ? unknownFields(child, field, known) : [];
  });
}
