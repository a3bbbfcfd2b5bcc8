import type { KubernetesApi } from '../kubernetes/kubernetes-api.ts';
import type { Pace } from '../pace.ts';
import { ShootActor, type ShootClusters } from './shoot-actor.ts';
import type { ShootFates } from './shoot-fates.ts';

export interface GardenletOptions {
  readonly garden: KubernetesApi;
  readonly clusters: ShootClusters;
  readonly fates: ShootFates;
  readonly pace: Pace;
}

/** Plays scheduler and gardenlet for all Shoots: an actor for each. Answers the function that ends it. */
export function startGardenlet({ garden, clusters, fates, pace }: GardenletOptions): () => void {
  const actors = new Map<string, ShootActor>();
  fates.onChange(() => {
    for (const actor of actors.values()) actor.nudge();
  });
  return garden.subscribe('shoots', ({ type, object }) => {
    const { namespace = '', name = '', uid = '' } = object.metadata;
    if (type === 'DELETED') {
      actors.delete(uid);
      return;
    }
    let actor = actors.get(uid);
    if (!actor) {
      actor = new ShootActor({ garden, clusters, fates, pace, namespace, name, uid });
      actors.set(uid, actor);
    }
    actor.nudge();
  });
}
