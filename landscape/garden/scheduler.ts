import type { KubernetesApi } from '../kubernetes/kubernetes-api.ts';
import type { KubeObject } from '../kubernetes/resource-type.ts';
import { projectOf } from './project.ts';
import { setLastOperation } from './shoot-status.ts';

/** The default pod and service ranges of the landscape's seeds. */
const shootDefaults = { pods: '100.96.0.0/11', services: '100.64.0.0/13' };
const dnsDomain = 'shoot.landscape.example';

/** The seed for a Shoot: of its provider, with the labels that it selects. Undefined: there is none. */
export function findSeed(garden: KubernetesApi, shoot: KubeObject): string | undefined {
  const wanted: Record<string, string> = shoot.spec.seedSelector?.matchLabels ?? {};
  return garden
    .list('seeds')
    .filter(({ metadata, spec }) => {
      const { labels = {} } = metadata;
      const selected = Object.entries(wanted).every(([key, value]) => labels[key] === value);
      return spec.provider.type === shoot.spec.provider.type && selected;
    })
    .map(({ metadata }) => metadata.name)[0];
}

/** Writes what binding to a seed brings: the seed, the ranges that were left open, and a domain. */
export function bindToSeed(garden: KubernetesApi, namespace: string, name: string, seed: string): void {
  const project = projectOf(garden, namespace);
  garden.write('shoots', namespace, name, (shoot) => {
    shoot.spec.seedName = seed;
    shoot.spec.networking.pods ??= shootDefaults.pods;
    shoot.spec.networking.services ??= shootDefaults.services;
    shoot.spec.dns = { ...shoot.spec.dns, domain: shoot.spec.dns?.domain ?? `${name}.${project}.${dnsDomain}` };
    if (shoot.status) delete shoot.status.lastOperation;
  });
}

export function reportNoSeed(garden: KubernetesApi, namespace: string, name: string): void {
  const seeds = garden.list('seeds').length;
  garden.write('shoots', namespace, name, (shoot) => {
    setLastOperation(shoot, {
      type: 'Create',
      state: 'Pending',
      progress: 0,
      description: `Failed to schedule Shoot: none of the ${seeds} seeds is valid for scheduling (not deleting, visible, ready)`,
    });
  });
}
