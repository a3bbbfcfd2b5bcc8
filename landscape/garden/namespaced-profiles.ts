import type { KubernetesApi } from '../kubernetes/kubernetes-api.ts';
import type { KubeObject } from '../kubernetes/resource-type.ts';

/** Keeps the whole of each NamespacedCloudProfile, its parent's spec with what it adds, in its status. */
export function startNamespacedProfiles(garden: KubernetesApi): void {
  garden.subscribe('namespacedcloudprofiles', ({ type, object }) => {
    if (type !== 'ADDED') return;
    const { name = '', namespace = '' } = object.metadata;
    const parent = garden.read('cloudprofiles', undefined, object.spec.parent?.name ?? '');
    if (!parent) return;
    garden.write('namespacedcloudprofiles', namespace, name, (profile) => {
      profile.status = { cloudProfileSpec: extended(parent.spec, profile.spec) };
    });
  });
}

function extended(parent: KubeObject['spec'], { machineTypes = [], volumeTypes = [] }: KubeObject['spec']): object {
  return {
    ...parent,
    machineTypes: [...parent.machineTypes, ...machineTypes],
    volumeTypes: [...parent.volumeTypes, ...volumeTypes],
  };
}
