import { uuidPattern } from '../../domain/ids.ts';
import { orAbort } from '../../domain/or-abort.ts';
import type { OwnedName, OwnedObject, OwnedObjects } from '../../domain/owned-objects.ts';
import { tenantMark } from '../../domain/tenant-mark.ts';
import type { Informer } from '../../kubernetes/informer.ts';
import type { KubernetesClient } from '../../kubernetes/kubernetes-client.ts';
import { deleteShoot } from './delete-shoot.ts';
import { installationOf, ownerOf, tenantOf } from './shoot/ownership.ts';
import { asShoot, type Shoot, shootKind } from './shoot/shoot.ts';

/** The Shoots of the project with our mark: from the watch, without asking the Garden. There is one scope. */
export function ownedShoots({
  client,
  namespace,
  informer,
}: {
  client: KubernetesClient;
  namespace: string;
  informer: Informer;
}): OwnedObjects {
  /** Only an empty list proves absence: it cannot come from a server that does not serve Shoots at the moment. */
  async function read({ name, uid, runtimeId }: OwnedName, signal: AbortSignal): Promise<Shoot | undefined> {
    const { items } = await client.list(shootKind, { namespace, fieldSelector: `metadata.name=${name}`, signal });
    const shoot = items[0] && asShoot(items[0]);
    return shoot?.metadata.uid === uid && ownerOf(shoot)?.toLowerCase() === runtimeId ? shoot : undefined;
  }

  return {
    async search(_scope, signal) {
      await orAbort(informer.synced, signal);
      if (informer.state.phase !== 'watching') throw new Error('the Shoots are not watched at the moment');
      const objects = [...informer.values()].flatMap((object) => ownedShoot(asShoot(object)) ?? []);
      return { objects, requests: 0 };
    },
    exists: async (object, _scope, signal) => (await read(object, signal)) !== undefined,
    async remove(object, _scope, signal) {
      const shoot = await read(object, signal);
      if (!shoot) return;
      await deleteShoot({ client, reference: { ...shootKind, namespace, name: object.name }, shoot, signal });
    },
  };
}

function ownedShoot(shoot: Shoot): OwnedObject | undefined {
  const { uid, name, creationTimestamp } = shoot.metadata;
  const runtimeId = ownerOf(shoot)?.toLowerCase();
  if (uid === undefined || name === undefined || runtimeId === undefined || !uuidPattern.test(runtimeId)) return;
  const tenant = tenantOf(shoot);
  return {
    ...{ uid, name, place: '', runtimeId, installation: installationOf(shoot) },
    tenantMark: tenant && tenantMark(tenant),
    createdAt: creationTimestamp === undefined ? undefined : new Date(creationTimestamp),
  };
}
