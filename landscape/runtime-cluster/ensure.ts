import type { KubernetesApi } from '../kubernetes/kubernetes-api.ts';
import type { KubeObject } from '../kubernetes/resource-type.ts';

/** Creates the object unless there is one of its name. */
export function ensure(
  cluster: KubernetesApi,
  type: string,
  object: Pick<KubeObject, 'metadata'> & Partial<KubeObject>,
): void {
  const { namespace, name = '' } = object.metadata;
  if (cluster.read(type, namespace, name) === undefined) cluster.create(type, object);
}

export function ensureNamespace(cluster: KubernetesApi, name: string): void {
  ensure(cluster, 'namespaces', { metadata: { name } });
}

/** A Deployment of one replica, or as many as given. */
export function simpleDeployment(namespace: string, name: string, image: string, replicas = 1) {
  const labels = { app: name };
  return {
    metadata: { name, namespace, labels },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name, image }] } },
    },
  };
}

/** A CustomResourceDefinition of one version without a closed schema. */
export function openDefinition(details: {
  group: string;
  version: string;
  kind: string;
  plural: string;
  scope: 'Namespaced' | 'Cluster';
}) {
  const { group, version, kind, plural, scope } = details;
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return {
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase() },
      scope,
      versions: [{ name: version, served: true, storage: true, schema }],
    },
  };
}
