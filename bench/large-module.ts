import type { KubernetesObject } from '../src/kubernetes/kubernetes-client.ts';

const group = 'bench.example.com';
const namespace = 'kyma-system';
const labels = { 'kyma-project.io/module': 'bench' };

/** A manifest as large modules have it: few definitions that make up nearly all of its bytes, and many small objects. */
export function largeManifest({
  definitions,
  definitionBytes,
  objects,
}: {
  readonly definitions: number;
  /** Of each definition, as JSON. */
  readonly definitionBytes: number;
  /** All together. */
  readonly objects: number;
}): readonly KubernetesObject[] {
  const manifest: KubernetesObject[] = [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    deployment('bench-manager'),
  ];
  for (let index = 0; index < definitions; index++) manifest.push(definition(index, definitionBytes));
  for (let index = 0; manifest.length < objects; index++) manifest.push(small(index));
  return manifest;
}

export const largeModuleResource = { apiVersion: `${group}/v1`, kind: 'Bench0', name: 'default', namespace };

function definition(index: number, bytes: number): KubernetesObject {
  const description =
    'What this field of the specification is for, in as many words as generators copy from a comment.';
  const properties: Record<string, object> = {};
  const size = JSON.stringify({ field0000: { type: 'string', description } }).length;
  for (let field = 0; field * size < bytes; field++) {
    properties[`field${String(field).padStart(4, '0')}`] = { type: 'string', description };
  }
  const spec = { type: 'object', properties };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
  const plural = `bench${index}s`;
  return {
    ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
    metadata: { name: `${plural}.${group}`, labels },
    spec: {
      ...{ group, scope: 'Namespaced' },
      names: { kind: `Bench${index}`, listKind: `Bench${index}List`, plural, singular: `bench${index}` },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
}

/** One of each kind in turn. */
function small(index: number): KubernetesObject {
  const name = `bench-${index}`;
  const rules = [{ apiGroups: [''], resources: ['pods', 'services', 'configmaps'], verbs: ['get', 'list', 'watch'] }];
  switch (index % 5) {
    case 0:
      return { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace, labels } };
    case 1:
      return {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name, namespace, labels },
        data: { text: 'x'.repeat(2_000) },
      };
    case 2:
      return { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name, labels }, rules };
    case 3: {
      const spec = { selector: labels, ports: [{ name: 'http', port: 8080 }] };
      return { apiVersion: 'v1', kind: 'Service', metadata: { name, namespace, labels }, spec };
    }
    default:
      return deployment(name);
  }
}

function deployment(name: string): KubernetesObject {
  const containers = [{ name: 'manager', image: 'registry.example.com/bench:1', args: ['--leader-elect'] }];
  const template = { metadata: { labels: { app: name } }, spec: { containers } };
  const spec = { replicas: 1, selector: { matchLabels: { app: name } }, template };
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name, namespace, labels }, spec };
}
