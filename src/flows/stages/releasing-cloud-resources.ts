import { clusterOrder } from '../../clusters/cluster-order.ts';
import { readPath, readText } from '../../domain/json.ts';
import { done, type Outcome, observing, wait } from '../../domain/outcome.ts';
import type { PlannedChange } from '../../domain/plan.ts';
import type { KubernetesClient, KubernetesObject, ResourceKind } from '../../kubernetes/kubernetes-client.ts';
import type { StagePlanning, StageRun } from '../tools.ts';
import { clusterWorks } from './cluster-works.ts';
import { unlessSilent } from './unless-silent.ts';

const namespaced = (apiVersion: string, plural: string): ResourceKind => ({ apiVersion, plural, namespaced: true });
const services = namespaced('v1', 'services');
const claims = namespaced('v1', 'persistentvolumeclaims');
const pods = namespaced('v1', 'pods');
const volumes: ResourceKind = { apiVersion: 'v1', plural: 'persistentvolumes', namespaced: false };

/** How many are named in a message. */
const named = 5;

/**
 * Removes what the cluster made in the cloud for what runs in it: the provider deletes it with the cluster at its best
 * effort only, and whoever pays would go on paying. Nothing runs on afterwards that would make it again.
 */
export async function releasingCloudResources(run: StageRun): Promise<Outcome> {
  const left = `load balancers and disks that it made may be left in ${projectOf(run)}`;
  if (await clusterWorks(run)) return unlessSilent({ run, work: () => release(run), left });
  const message = `The cluster does not work; ${left}`;
  run.log.warn({ cluster: run.runtime.cluster.name }, message);
  return done({ message });
}

async function release(run: StageRun): Promise<Outcome> {
  const { runtime, access, signal } = run;
  const cluster = await access.client(clusterOrder(runtime), signal);
  const found = await findResources(cluster, signal);
  if (found.words.length === 0) return done();
  for (const { kind, objects } of found.toDelete) {
    await Promise.all(objects.map((object) => remove(cluster, kind, object, signal)));
  }
  const more = found.words.length > named ? ` and ${found.words.length - named} more` : '';
  const message = `Removing what would be left in ${projectOf(run)}: ${found.words.slice(0, named).join(', ')}${more}`;
  return wait({ message, lookAgain: observing });
}

/** Of a cluster that does not work, nothing is removed. */
export async function planRelease(planning: StagePlanning): Promise<readonly PlannedChange[]> {
  const { runtime, access, clusters, signal } = planning;
  const seen = await clusters[runtime.cluster.driver].observe(clusterOrder(runtime), signal);
  if (seen.state !== 'ready') return [];
  const { words } = await findResources(await access.client(clusterOrder(runtime), signal), signal);
  return words.map((subject) => ({ action: 'Delete', to: 'cluster', subject }));
}

interface Found {
  /** In this order: whatever would make another one again goes first. */
  readonly toDelete: readonly { readonly kind: ResourceKind; readonly objects: readonly KubernetesObject[] }[];
  /** For each thing that still exists in the cloud. */
  readonly words: readonly string[];
}

async function findResources(cluster: KubernetesClient, signal: AbortSignal): Promise<Found> {
  const list = async (kind: ResourceKind) => (await cluster.list(kind, { signal })).items;
  const statefulSets = await cluster.discover('apps/v1', 'StatefulSet', { signal });
  const [allServices, allClaims, allVolumes, allPods, allSets] = await Promise.all([
    ...[list(services), list(claims), list(volumes), list(pods)],
    ...[statefulSets ? list(statefulSets) : []],
  ] as const);
  const balanced = allServices.filter((service) => readText(service, 'spec', 'type') === 'LoadBalancer');
  // A volume that is to be retained is somebody's wish.
  const deletable = allVolumes.filter(
    (volume) => readText(volume, 'spec', 'persistentVolumeReclaimPolicy') === 'Delete',
  );
  const sets = allSets.filter((set) => hasItems(readPath(set, 'spec', 'volumeClaimTemplates')));
  const users = allPods.filter((pod) =>
    JSON.stringify(readPath(pod, 'spec', 'volumes') ?? '').includes('persistentVolumeClaim'),
  );
  const toDelete = [
    { kind: services, objects: balanced },
    ...(statefulSets ? [{ kind: statefulSets, objects: sets }] : []),
    { kind: claims, objects: allClaims },
    { kind: pods, objects: users },
  ];
  const words = [
    ...balanced.map((service) => `load balancer of Service ${nameOf(service)}`),
    ...allClaims.map((claim) => `disk of PersistentVolumeClaim ${nameOf(claim)}`),
    ...deletable.filter((volume) => isReleased(volume, allClaims)).map((volume) => `disk of ${nameOf(volume)}`),
  ];
  return { toDelete, words };
}

async function remove(
  cluster: KubernetesClient,
  kind: ResourceKind,
  { metadata: { name = '', namespace, deletionTimestamp } }: KubernetesObject,
  signal: AbortSignal,
): Promise<void> {
  if (deletionTimestamp !== undefined) return;
  await cluster.delete({ ...kind, name, ...(namespace !== undefined && { namespace }) }, { signal });
}

/** A volume whose claim is gone, and whose disk is about to be. One that was never claimed nobody deletes. */
function isReleased(volume: KubernetesObject, present: readonly KubernetesObject[]): boolean {
  const [namespace, name] = [
    readText(volume, 'spec', 'claimRef', 'namespace'),
    readText(volume, 'spec', 'claimRef', 'name'),
  ];
  return (
    name !== undefined && !present.some(({ metadata }) => metadata.namespace === namespace && metadata.name === name)
  );
}

function hasItems(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}

function nameOf({ metadata: { namespace, name = '' } }: KubernetesObject): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

function projectOf({ runtime: { cluster } }: StageRun): string {
  return cluster.driver === 'gke' ? `the Google Cloud project ${cluster.config.projectName}` : 'the cloud account';
}
