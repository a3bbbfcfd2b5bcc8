import type { KubernetesApi } from '../kubernetes/kubernetes-api.ts';
import { cloudProfiles } from './cloud-profiles.ts';

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
] as const;

const seeds = [
  { name: 'gcp-eu1', provider: 'gcp', region: 'europe-west1' },
  { name: 'az-eu1', provider: 'azure', region: 'westeurope' },
  { name: 'aws-eu1', provider: 'aws', region: 'eu-central-1' },
] as const;

/** Fills a new Garden: a project with credentials for three clouds, CloudProfiles, seeds. */
export function fillGarden(garden: KubernetesApi): void {
  const labels = { 'gardener.cloud/role': 'project', 'project.gardener.cloud/name': project };
  garden.create('namespaces', { metadata: { name: 'garden' } });
  garden.create('namespaces', { metadata: { name: projectNamespace, labels } });
  garden.create('projects', {
    metadata: { name: project },
    spec: {
      namespace: projectNamespace,
      owner,
      createdBy: owner,
      members: [{ ...owner, role: 'admin', roles: ['owner'] }],
    },
    status: { phase: 'Ready', observedGeneration: 1 },
  });
  for (const profile of cloudProfiles) garden.create('cloudprofiles', profile);
  for (const { name, provider, data } of bindings) {
    const metadata = {
      name,
      namespace: projectNamespace,
      labels: { [`provider.shoot.gardener.cloud/${provider}`]: 'true' },
    };
    const encoded = Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')]);
    garden.create('secrets', { metadata, type: 'Opaque', data: Object.fromEntries(encoded) });
    garden.create('credentialsbindings', {
      metadata,
      provider: { type: provider },
      credentialsRef: { apiVersion: 'v1', kind: 'Secret', name, namespace: projectNamespace },
    });
  }
  for (const { name, provider, region } of seeds) {
    garden.create('seeds', {
      metadata: { name, labels: { 'seed.gardener.cloud/region': region } },
      spec: { provider: { type: provider, region, zones: [`${region}-a`, `${region}-b`, `${region}-c`] } },
      status: { allocatable: { shoots: '5000' } },
    });
  }
  garden.create('exposureclasses', { metadata: { name: 'internet' }, handler: 'internet' });
}
