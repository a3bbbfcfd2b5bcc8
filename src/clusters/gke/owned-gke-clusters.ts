import { uuidPattern } from '../../domain/ids.ts';
import type { OwnedName, OwnedObject, OwnedObjects } from '../../domain/owned-objects.ts';
import type { GkeClient, GkePlace } from './gke-client.ts';
import { isNotFound } from './gke-error.ts';
import { installationLabel, ownerLabel, tenantLabel } from './gke-order.ts';
import type { GkeClusterState } from './gke-resources.ts';
import { throwRefusal } from './refusal.ts';

/** The clusters with our mark in one project. A scope is the Secret and the project, such as `gcp-secret/my-project`. */
export function ownedGkeClusters({ client }: { readonly client: GkeClient }): OwnedObjects {
  async function read(
    { uid, name, place, runtimeId }: OwnedName,
    scope: string,
    signal: AbortSignal,
  ): Promise<GkeClusterState | undefined> {
    const cluster = await client.cluster(placeIn(scope, place), name, signal).catch(throwRefusal);
    const found = cluster && ownedCluster(cluster, scope);
    return found?.uid === uid && found.runtimeId === runtimeId ? cluster : undefined;
  }

  return {
    async search(scope, signal) {
      const { clusters, complete } = await client.clusters(placeIn(scope), signal).catch(throwRefusal);
      if (!complete) throw new Error('some locations of Google Cloud do not answer');
      return { objects: clusters.flatMap((cluster) => ownedCluster(cluster, scope) ?? []), requests: 1 };
    },
    exists: async (object, scope, signal) => (await read(object, scope, signal)) !== undefined,
    async remove(object, scope, signal) {
      const cluster = await read(object, scope, signal);
      if (!cluster || cluster.status === 'STOPPING') return;
      await client.deleteCluster(placeIn(scope, object.place), object.name, signal).catch((error: unknown) => {
        if (!isNotFound(error)) throwRefusal(error);
      });
    },
  };
}

/** `place` is a project and a location; every location of the scope's project when not given. */
function placeIn(scope: string, place?: string): GkePlace {
  const [secretName = '', project = ''] = scope.split('/');
  return { secretName, project, location: place?.split('/')[1] ?? '-' };
}

function ownedCluster(
  { id, name, location = '', createTime, resourceLabels = {} }: GkeClusterState,
  scope: string,
): OwnedObject | undefined {
  const runtimeId = resourceLabels[ownerLabel];
  if (runtimeId === undefined || !uuidPattern.test(runtimeId)) return undefined;
  const place = `${placeIn(scope).project}/${location}`;
  return {
    ...{ uid: id ?? `${place}/${name}`, name, place, runtimeId },
    installation: resourceLabels[installationLabel],
    tenantMark: resourceLabels[tenantLabel],
    createdAt: createTime === undefined ? undefined : new Date(createTime),
  };
}
