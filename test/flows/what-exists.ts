import type { KubeObject } from '../../landscape/kubernetes/resource-type.ts';
import type { Subject } from './lives.ts';
import type { World } from './world.ts';

/** What the landscape has of a Runtime, in the words of a residue. */
export async function whatExists(world: World, subject: Subject): Promise<readonly string[]> {
  const { name, life, runtimeId } = subject;
  const words = life === 'gke' ? gkeWords(world, name) : shootWords(await world.shoot(name));
  const driver = life === 'gke' ? 'gke' : 'gardener';
  const entry = world.control.inventory().directorRuntimes.some(({ id }) => id === runtimeId);
  return [
    ...(words === undefined ? [] : [`cluster ${name} (${driver}): ${words}`]),
    ...(entry ? [`Director entry ${runtimeId}: exists`] : []),
  ];
}

const ofGke: Readonly<Record<string, string>> = {
  PROVISIONING: 'is being made',
  STOPPING: 'is being deleted',
  ERROR: 'has failed',
};

function gkeWords({ control }: World, name: string): string | undefined {
  const found = control.googleInventory().clusters.find((cluster) => cluster.name === name);
  return found && `GKE cluster ${ofGke[found.status] ?? 'is ready'}`;
}

function shootWords(shoot: KubeObject | undefined): string | undefined {
  if (shoot === undefined) return undefined;
  const { metadata, spec, status = {} } = shoot;
  const { state } = status.lastOperation ?? {};
  const wanted = spec.hibernation?.enabled === true;
  const hibernated = status.hibernated === true;
  const words = () => {
    if (metadata.deletionTimestamp !== undefined) return 'is being deleted';
    if (state === 'Failed') return 'has failed';
    if (wanted !== hibernated) return wanted ? 'is being hibernated' : 'is waking up';
    if (state !== 'Succeeded' || status.observedGeneration !== metadata.generation) return 'is being made or changed';
    return hibernated ? 'is hibernated' : 'is ready';
  };
  return `Shoot ${words()}`;
}
