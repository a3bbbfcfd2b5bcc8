import type { KubeObject, PrinterColumn, ResourceType } from '../kubernetes/resource-type.ts';
import type { GardenAge } from './garden-age.ts';

const unknownToOldGardens = ['NamespacedCloudProfile', 'CredentialsBinding'];

/** What a Garden serves beside Shoots. Only what the landscape itself relies on is validated. */
export function gardenTypesOf(age: GardenAge): readonly ResourceType[] {
  return age === 'today' ? gardenTypes : gardenTypes.filter(({ kind }) => !unknownToOldGardens.includes(kind));
}

/** Those of today. */
export const gardenTypes: readonly ResourceType[] = [
  core('CloudProfile', 'cloudprofiles', false),
  core('NamespacedCloudProfile', 'namespacedcloudprofiles', true),
  core('ExposureClass', 'exposureclasses', false),
  core('ControllerRegistration', 'controllerregistrations', false),
  core('Quota', 'quotas', true),
  {
    ...core('SecretBinding', 'secretbindings', true),
    columns: [
      column('Provider', ({ provider }) => provider?.type),
      column('Secret', ({ secretRef }) => secretRef?.name),
    ],
  },
  {
    ...core('Project', 'projects', false),
    columns: [
      column('Namespace', ({ spec }) => spec?.namespace),
      column('Status', ({ status }) => status?.phase),
      column('Owner', ({ spec }) => spec?.owner?.name),
    ],
  },
  {
    ...core('Seed', 'seeds', false),
    columns: [
      column('Status', () => 'Ready'),
      column('Provider', ({ spec }) => spec?.provider?.type),
      column('Region', ({ spec }) => spec?.provider?.region),
    ],
  },
  {
    group: 'security.gardener.cloud',
    version: 'v1alpha1',
    kind: 'CredentialsBinding',
    plural: 'credentialsbindings',
    singular: 'credentialsbinding',
    shortNames: ['cb'],
    namespaced: true,
    columns: [
      column('Provider', ({ provider }) => provider?.type),
      column('Credentials-Kind', ({ credentialsRef }) => credentialsRef?.kind),
      column('Credentials-Namespace', ({ credentialsRef }) => credentialsRef?.namespace),
      column('Credentials-Name', ({ credentialsRef }) => credentialsRef?.name),
    ],
  },
  {
    group: '',
    version: 'v1',
    kind: 'ResourceQuota',
    plural: 'resourcequotas',
    singular: 'resourcequota',
    shortNames: ['quota'],
    namespaced: true,
    statusSubresource: true,
  },
];

function core(kind: string, plural: string, namespaced: boolean): ResourceType {
  const singular = kind.toLowerCase();
  return {
    group: 'core.gardener.cloud',
    version: 'v1beta1',
    kind,
    plural,
    singular,
    namespaced,
    statusSubresource: true,
  };
}

function column(name: string, value: (object: KubeObject) => string | undefined): PrinterColumn {
  return { name, type: 'string', value };
}
