import type { KubernetesApi } from '../kubernetes/kubernetes-api.ts';
import { cloudProfiles, ofOldGarden } from './cloud-profiles.ts';
import type { GardenAge } from './garden-age.ts';
import { startNamespacedProfiles } from './namespaced-profiles.ts';

export const project = 'dev';
export const projectNamespace = 'garden-dev';

const owner = { apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'owner@landscape.example' };

const bindings = [
  {
    name: 'gcp-credentials',
    provider: 'gcp',
    data: { 'serviceaccount.json': JSON.stringify({ type: 'service_account', project_id: 'demo' }) },
  },
  {
    name: 'azure-credentials',
    provider: 'azure',
    data: {
      subscriptionID: '00000000-0000-4000-8000-000000000001',
      tenantID: '00000000-0000-4000-8000-000000000002',
      clientID: 'demo',
      clientSecret: 'demo',
    },
  },
  { name: 'aws-credentials', provider: 'aws', data: { accessKeyID: 'DEMODEMODEMODEMO', secretAccessKey: 'demo' } },
  {
    name: 'openstack-credentials',
    provider: 'openstack',
    data: { domainName: 'demo', tenantName: 'demo', username: 'demo', password: 'demo' },
  },
] as const;

const seeds: readonly SeedContent[] = [
  { name: 'gcp-eu1', provider: 'gcp', region: 'europe-west1' },
  { name: 'az-eu1', provider: 'azure', region: 'westeurope' },
  { name: 'aws-eu1', provider: 'aws', region: 'eu-central-1' },
  { name: 'os-eu1', provider: 'openstack', region: 'eu-de-1' },
  // For clusters in this region only, which tolerate the taint.
  { name: 'gcp-ksa1', provider: 'gcp', region: 'me-central2', taint: 'ksa-assured-workload' },
];

/** Extensions that the Garden has beside its providers. */
const registrations: readonly { readonly name: string; readonly kind: string; readonly types: readonly string[] }[] = [
  { name: 'extension-shoot-networking-filter', kind: 'Extension', types: ['shoot-networking-filter'] },
  { name: 'extension-shoot-dns-service', kind: 'Extension', types: ['shoot-dns-service'] },
  { name: 'extension-shoot-cert-service', kind: 'Extension', types: ['shoot-cert-service'] },
  {
    name: 'dns-records',
    kind: 'DNSRecord',
    types: ['aws-route53', 'azure-dns', 'google-clouddns', 'openstack-designate'],
  },
];

interface SeedContent {
  readonly name: string;
  readonly provider: string;
  readonly region: string;
  readonly taint?: string;
}

/** A binding of the old kind, which Gardener's API still has, whatever its age. */
const onlyOldBinding = 'gcp-old-credentials';

/** Fills a new Garden: a project with credentials for four clouds, CloudProfiles, seeds. */
export function fillGarden(garden: KubernetesApi, age: GardenAge = 'today'): void {
  const labels = { 'gardener.cloud/role': 'project', 'project.gardener.cloud/name': project };
  garden.create('namespaces', { metadata: { name: 'garden' } });
  garden.create('namespaces', { metadata: { name: projectNamespace, labels } });
  garden.create('projects', {
    metadata: { name: project },
    spec: {
      namespace: projectNamespace,
      owner,
      createdBy: owner,
      tolerations: { whitelist: [{ key: 'ksa-assured-workload' }] },
      members: [{ ...owner, role: 'admin', roles: ['owner'] }],
    },
    status: { phase: 'Ready', observedGeneration: 1 },
  });
  if (age === 'today') startNamespacedProfiles(garden);
  for (const profile of cloudProfiles) garden.create('cloudprofiles', age === 'today' ? profile : ofOldGarden(profile));
  for (const { name, provider, data } of bindings) {
    const metadata = {
      name,
      namespace: projectNamespace,
      labels: { [`provider.shoot.gardener.cloud/${provider}`]: 'true' },
    };
    const encoded = Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')]);
    garden.create('secrets', { metadata, type: 'Opaque', data: Object.fromEntries(encoded) });
    const secret = { name, namespace: projectNamespace };
    if (age === 'old') garden.create('secretbindings', { metadata, provider: { type: provider }, secretRef: secret });
    else {
      const credentialsRef = { apiVersion: 'v1', kind: 'Secret', ...secret };
      garden.create('credentialsbindings', { metadata, provider: { type: provider }, credentialsRef });
    }
  }
  garden.create('secretbindings', {
    metadata: { name: onlyOldBinding, namespace: projectNamespace },
    provider: { type: 'gcp' },
    secretRef: { name: 'gcp-credentials', namespace: projectNamespace },
  });
  for (const { name, kind, types } of registrations) {
    garden.create('controllerregistrations', {
      metadata: { name },
      spec: { resources: types.map((type) => ({ kind, type, primary: true })) },
    });
  }
  for (const { name, provider, region, taint } of seeds) {
    garden.create('seeds', {
      metadata: {
        name,
        labels: {
          'seed.gardener.cloud/region': region,
          ...(age === 'old' && { 'seed.gardener.cloud/eu-access': 'true' }),
        },
      },
      spec: {
        provider: { type: provider, region, zones: [`${region}-a`, `${region}-b`, `${region}-c`] },
        ...(age === 'today' && { accessRestrictions: [{ name: 'eu-access-only' }] }),
        ...(taint && { taints: [{ key: taint }] }),
      },
      status: { allocatable: { shoots: '5000' } },
    });
  }
  for (const name of ['internet', 'converged-cloud-internet']) {
    garden.create('exposureclasses', { metadata: { name }, handler: 'internet' });
  }
}
