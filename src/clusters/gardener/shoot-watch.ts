import { readPath, readText } from '../../domain/json.ts';
import type { Informer } from '../../kubernetes/informer.ts';
import type { ClusterVersions, ClusterWatch, SeenCluster } from '../cluster-watch.ts';
import type { GardenerOrder } from './gardener-order.ts';
import { providers } from './providers/providers.ts';
import { findDrift } from './shoot/find-drift.ts';
import { judgeShoot } from './shoot/judge-shoot.ts';
import { ownerOf } from './shoot/ownership.ts';
import { asShoot, type Shoot } from './shoot/shoot.ts';
import { hibernationOf } from './shoot/shoot-hibernation.ts';
import { workerPool } from './shoot/worker-pool.ts';

const certificateRotation = ['status', 'credentials', 'rotation', 'certificateAuthorities'];

/** Shoots as the informer has them at hand. */
export function shootWatch({ informer }: { informer: Informer }): ClusterWatch {
  let isListed = false;
  const synced = informer.synced.then(() => {
    isListed = true;
  });

  /** What is not seen while the watch is interrupted may have come since. */
  function seesAll(): boolean {
    const { state } = informer;
    return state.phase === 'watching' || (state.phase === 'starting' && isListed && state.problem === undefined);
  }

  return {
    synced,
    look({ name, runtimeId }) {
      const object = informer.get(name);
      const shoot = object && asShoot(object);
      const seen = shoot && ownerOf(shoot) === runtimeId ? seenShoot(shoot) : undefined;
      return seen || seesAll() ? { seen } : undefined;
    },
    onGone: (listener) =>
      informer.onChange(({ type, object }) => {
        const owner = type === 'deleted' ? ownerOf(asShoot(object)) : undefined;
        if (owner !== undefined) listener(owner);
      }),
  };
}

function seenShoot(shoot: Shoot): SeenCluster {
  return {
    observation: judgeShoot(shoot),
    versions: versionsOf(shoot),
    credentials: JSON.stringify([
      shoot.metadata.uid,
      readPath(shoot, ...certificateRotation),
      hibernationOf(shoot).wanted,
    ]),
    drift: ({ cluster: { config } }: GardenerOrder) =>
      findDrift({ config, provider: providers[config.provider], live: shoot }),
  };
}

function versionsOf(shoot: Shoot): ClusterVersions {
  const pool = workerPool(shoot);
  return {
    kubernetesVersion: readText(shoot, 'spec', 'kubernetes', 'version'),
    machineImage: readText(pool, 'machine', 'image', 'name'),
    machineImageVersion: readText(pool, 'machine', 'image', 'version'),
  };
}
