import type { KubernetesApi } from '../kubernetes/kubernetes-api.ts';
import type { KubeObject } from '../kubernetes/resource-type.ts';
import { projectOf } from './project.ts';
import { setLastOperation } from './shoot-status.ts';

/** The default pod and service ranges of the landscape's seeds. */
const shootDefaults = { pods: '100.96.0.0/11', services: '100.64.0.0/13' };
const dnsDomain = 'shoot.landscape.example';

/**
 * The seed for a Shoot: of its provider, with the labels that it selects, without a taint that it does not tolerate, and
 * under the same access restrictions. Undefined: there is none.
 */
export function findSeed(garden: KubernetesApi, shoot: KubeObject): string | undefined {
  const wanted: Record<string, string> = shoot.spec.seedSelector?.matchLabels ?? {};
  return garden
    .list('seeds')
    .filter(({ metadata, spec }) => {
      const { labels = {} } = metadata;
      const tolerated = isTolerated(spec.taints, shoot.spec.tolerations);
      const restricted = areSupported(shoot.spec.accessRestrictions, spec.accessRestrictions);
      const selected = Object.entries(wanted).every(([key, value]) => labels[key] === value);
      return spec.provider.type === shoot.spec.provider.type && selected && tolerated && restricted;
    })
    .map(({ metadata }) => metadata.name)[0];
}

function isTolerated(taints: { key: string }[] = [], tolerations: { key: string }[] = []): boolean {
  return taints.every(({ key }) => tolerations.some((toleration) => toleration.key === key));
}

function areSupported(wanted: { name: string }[] = [], supported: { name: string }[] = []): boolean {
  return wanted.every(({ name }) => supported.some((one) => one.name === name));
}

/** Writes what binding to a seed brings: the seed, the ranges that were left open, and a domain. */
export function bindToSeed(garden: KubernetesApi, namespace: string, name: string, seed: string): void {
  const project = projectOf(garden, namespace);
  garden.write('shoots', namespace, name, (shoot) => {
    shoot.spec.seedName = seed;
    takeDefaultsOfSeed(shoot.spec, name, project);
    if (shoot.status) delete shoot.status.lastOperation;
  });
}

/** What a Shoot gets as soon as its seed is known; changes the spec. */
export function takeDefaultsOfSeed(spec: KubeObject['spec'], name: string, project: string): void {
  spec.networking.pods ??= shootDefaults.pods;
  spec.networking.services ??= shootDefaults.services;
  spec.dns = { ...spec.dns, domain: spec.dns?.domain ?? `${name}.${project}.${dnsDomain}` };
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
