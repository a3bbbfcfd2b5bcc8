import { type Clock, systemClock } from '../../../domain/clock.ts';
import { readPath } from '../../../domain/json.ts';
import type { Logger } from '../../../domain/logger.ts';
import type { KubernetesClient, KubernetesObject, ResourceKind } from '../../../kubernetes/kubernetes-client.ts';
import { KubernetesError } from '../../../kubernetes/kubernetes-error.ts';
import { type CloudProfile, readCloudProfile } from './cloud-profile.ts';

const profileKind: ResourceKind = {
  apiVersion: 'core.gardener.cloud/v1beta1',
  plural: 'cloudprofiles',
  namespaced: false,
};
const namespacedKind: ResourceKind = {
  apiVersion: 'core.gardener.cloud/v1beta1',
  plural: 'namespacedcloudprofiles',
  namespaced: true,
};

/** Operators change profiles about once a week, and a profile may be a megabyte. */
const freshForMilliseconds = 10_000;
/** A profile that finds fault with an order is read again first, but not in a tight loop. */
const newestForMilliseconds = 1_000;
/** A caller waits for the answer, and Gardener's dry run is still to come. */
const readTimeout = 4_000;

export interface CloudProfiles {
  /**
   * The profile of that name, at most ten seconds old, or one second with `newest`. Undefined when there is none, when
   * this service may not read it, and when the Garden does not answer: then only Gardener itself can judge.
   */
  find(name: string, options?: { readonly newest?: boolean }): Promise<CloudProfile | undefined>;
}

interface Kept {
  readonly profile: Promise<CloudProfile | undefined>;
  readonly readAt: number;
}

/** The Garden's CloudProfiles, and those of the project's namespace; each is read once for all who ask meanwhile. */
export function cloudProfiles({
  client,
  namespace,
  log,
  clock = systemClock,
}: {
  client: KubernetesClient;
  namespace: string;
  log: Logger;
  clock?: Clock;
}): CloudProfiles {
  const kept = new Map<string, Kept>();

  async function read(name: string): Promise<CloudProfile | undefined> {
    // Of its own: whoever asked first may go away while others wait.
    const options = { signal: AbortSignal.timeout(readTimeout) };
    const profile = await getIfAllowed(client.get({ ...profileKind, name }, options));
    if (profile) return readCloudProfile(profile.spec, 'CloudProfile', clock.now());
    const own = await getIfAllowed(client.get({ ...namespacedKind, namespace, name }, options));
    // Its spec holds only what differs from its parent; Gardener writes the whole into the status.
    const whole = readPath(own, 'status', 'cloudProfileSpec');
    return whole === undefined ? undefined : readCloudProfile(whole, 'NamespacedCloudProfile', clock.now());
  }

  return {
    async find(name, { newest = false } = {}) {
      const age = newest ? newestForMilliseconds : freshForMilliseconds;
      const known = kept.get(name);
      if (known && clock.now() - known.readAt < age) return known.profile;
      const profile = read(name).catch((error: unknown) => {
        if (kept.get(name)?.profile === profile) kept.delete(name);
        log.warn({ err: error, cloudProfile: name }, 'cannot read a CloudProfile; Gardener alone judges orders');
        return undefined;
      });
      kept.set(name, { profile, readAt: clock.now() });
      return profile;
    },
  };
}

async function getIfAllowed(answer: Promise<KubernetesObject | undefined>): Promise<KubernetesObject | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof KubernetesError && error.status === 403) return undefined;
    throw error;
  }
}
