import type { KubernetesApi } from '../kubernetes/kubernetes-api.ts';
import type { KubeObject } from '../kubernetes/resource-type.ts';

const namespace = 'kyma-installer';

/**
 * The values of charts that the installer finds for a component: those for all components (which have no label
 * `component` at all), then its own. `true` and `false` become booleans, everything else is text.
 */
export function chartValues(cluster: KubernetesApi, component: string): Readonly<Record<string, string | boolean>> {
  const global = sources(cluster).filter(({ metadata }) => metadata.labels?.component === undefined);
  const own = sources(cluster).filter(({ metadata }) => metadata.labels?.component === component);
  const entries = [...global, ...own].flatMap((source) => Object.entries(dataOf(source)));
  return Object.fromEntries(entries.map(([key, value]) => [key, typed(value)]));
}

function sources(cluster: KubernetesApi): readonly KubeObject[] {
  const labels = 'installer=overrides';
  return ['configmaps', 'secrets'].flatMap((type) => cluster.list(type, { namespace, labels }));
}

function dataOf({ kind, data = {} }: KubeObject): Readonly<Record<string, string>> {
  if (kind === 'ConfigMap') return data;
  return Object.fromEntries(
    Object.entries<string>(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]),
  );
}

function typed(value: string): string | boolean {
  return value === 'true' || value === 'false' ? value === 'true' : value;
}
