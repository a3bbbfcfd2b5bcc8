import type { KubernetesClient, KubernetesObject } from '../../src/kubernetes/kubernetes-client.ts';
import { eventually } from '../harness/eventually.ts';

const definitions = {
  apiVersion: 'apiextensions.k8s.io/v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
} as const;

const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } as const;

/** Shoots as any API server can serve them: with a status of their own, and without what Gardener knows of them. */
const shootDefinition: KubernetesObject = {
  apiVersion: definitions.apiVersion,
  kind: 'CustomResourceDefinition',
  metadata: { name: 'shoots.core.gardener.cloud' },
  spec: {
    group: 'core.gardener.cloud',
    scope: 'Namespaced',
    names: { kind: 'Shoot', listKind: 'ShootList', plural: 'shoots', singular: 'shoot' },
    versions: [
      {
        name: 'v1beta1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: open, status: open } } },
      },
    ],
  },
};

/** Resolves when the API server serves Shoots. */
export async function installShootDefinition(client: KubernetesClient): Promise<void> {
  await client.create(definitions, shootDefinition);
  await eventually('Shoots are served', () => client.discover('core.gardener.cloud/v1beta1', 'Shoot'));
}
