import { Failure, type Problem } from '../../domain/failures.ts';
import type { OperationId } from '../../domain/ids.ts';
import type { Logger } from '../../domain/logger.ts';
import type { WakeKey } from '../../domain/outcome.ts';
import { Informer } from '../../kubernetes/informer.ts';
import type { CallOptions, KubernetesClient, ObjectReference } from '../../kubernetes/kubernetes-client.ts';
import { isObjectNotFound, KubernetesError } from '../../kubernetes/kubernetes-error.ts';
import type { ClusterDriver, ClusterObservation, ClusterOrder } from '../cluster-driver.ts';
import {
  bindAuthenticationConfigMap,
  findAuthenticationConfigMap,
  removeAuthenticationConfigMap,
  writeAuthenticationConfigMap,
} from './authentication-config-map.ts';
import { checkGardenerConfig } from './checks/check-gardener-config.ts';
import { extensionTypes } from './extension-types.ts';
import { issueKubeconfig } from './issue-kubeconfig.ts';
import { isAlreadyExists, refusalOf, throwRefusal } from './refusal.ts';
import { authenticationConfigMap } from './shoot/authentication-config.ts';
import { judgeShoot } from './shoot/judge-shoot.ts';
import { ownerOf } from './shoot/ownership.ts';
import { rejectedFields } from './shoot/rejected-fields.ts';
import { isRelevant } from './shoot/relevant-change.ts';
import { asShoot, type Shoot, type ShootManifest, shootKind } from './shoot/shoot.ts';
import { shootManifest } from './shoot/shoot-manifest.ts';

export interface GardenerDriverSettings {
  /** Of the Garden. */
  readonly client: KubernetesClient;
  /** Name of the Gardener project, which is part of every cluster's name upstream. */
  readonly project: string;
  /** Of the project; not always `garden-<project>`. */
  readonly namespace: string;
  /** Follows the Shoots of the namespace; see `shootInformer`. */
  readonly informer: Informer;
  /** Hears the wake key of each Shoot whose state changed. */
  readonly onChange?: (key: WakeKey) => void;
  /** For callers who did not say; both false unless configured. */
  readonly autoUpdateKubernetesVersion?: boolean;
  readonly autoUpdateMachineImageVersion?: boolean;
  readonly log: Logger;
}

const inputPath = 'config.clusterConfig.gardenerConfig';
const noAnswer =
  'Gardener does not answer now, so it cannot be found out what it says to this cluster; try again later';
const confirmation = 'confirmation.gardener.cloud/deletion';
/** Gardener takes it off again as it begins. */
const retry = { 'gardener.cloud/operation': 'retry' };

const shootIs: Readonly<Record<ClusterObservation['state'], string>> = {
  absent: 'is not there',
  changing: 'is being made or changed',
  ready: 'is ready',
  deleting: 'is being deleted',
  failed: 'has failed',
};

/** One watch for all Shoots of the project; to be started and stopped by who made it. */
export function shootInformer(settings: { client: KubernetesClient; namespace: string; log: Logger }): Informer {
  return new Informer({ ...settings, kind: shootKind });
}

/** Clusters made by Gardener: a Shoot per Runtime, bound to it by an annotation. */
export function gardenerDriver(settings: GardenerDriverSettings): ClusterDriver {
  const { client, project, namespace, informer, onChange, log } = settings;
  const shootSettings = {
    namespace,
    autoUpdateKubernetesVersion: settings.autoUpdateKubernetesVersion ?? false,
    autoUpdateMachineImageVersion: settings.autoUpdateMachineImageVersion ?? false,
  };
  const findExtensionTypes = extensionTypes({ client });
  const keyOf = (name: string): WakeKey => `shoot:${namespace}/${name}`;
  const referenceTo = ({ cluster }: ClusterOrder): ObjectReference => ({ ...shootKind, namespace, name: cluster.name });

  informer.onChange((change) => {
    if (isRelevant(change)) onChange?.(keyOf(change.object.metadata.name ?? ''));
  });

  const inProject = (order: ClusterOrder) => ({ client, namespace, order });

  async function manifestFor(request: {
    order: ClusterOrder;
    operationId?: OperationId;
    signal: AbortSignal | undefined;
  }): Promise<ShootManifest> {
    const { signal, ...what } = request;
    return shootManifest({ ...what, settings: { ...shootSettings, extensionTypes: await findExtensionTypes(signal) } });
  }

  /** Only an empty list proves absence: it cannot come from a server that does not serve Shoots at the moment. */
  async function read(order: ClusterOrder, options: CallOptions): Promise<Shoot | undefined> {
    const found = await client.get(referenceTo(order), options);
    if (found) return asShoot(found);
    const fieldSelector = `metadata.name=${order.cluster.name}`;
    const { items } = await client.list(shootKind, { namespace, fieldSelector, ...options });
    return items[0] && asShoot(items[0]);
  }

  function isOurs(order: ClusterOrder, shoot: Shoot): boolean {
    const owner = ownerOf(shoot);
    if (owner === order.runtimeId) return true;
    const { name } = order.cluster;
    log.warn({ shoot: name, runtimeId: order.runtimeId, owner }, 'a Shoot of this name belongs to somebody else');
    return false;
  }

  function nameTaken({ cluster: { name } }: ClusterOrder): string {
    return `name "${name}" is taken in the Gardener project "${project}" by a cluster that this Runtime does not own`;
  }

  async function retryIfGivenUp(order: ClusterOrder, shoot: Shoot, signal: AbortSignal): Promise<void> {
    if (judgeShoot(shoot).state !== 'failed') return;
    const { uid } = shoot.metadata;
    await client.patch(referenceTo(order), { metadata: { uid, annotations: retry } }, { signal });
  }

  /** Answers what Gardener's whole admission says to the manifest. */
  async function dryRun(
    order: ClusterOrder,
    signal: AbortSignal | undefined,
    mustAnswer: boolean,
  ): Promise<readonly Problem[]> {
    const options = signal ? { signal } : {};
    try {
      await client.create(shootKind, await manifestFor({ order, signal }), { ...options, dryRun: true });
      return [];
    } catch (error) {
      if (!mustAnswer) signal?.throwIfAborted();
      const refusal = refusalOf(error);
      if (refusal && error instanceof KubernetesError) {
        return rejectedFields(error).map((mistake) => ({ ...asProblem(mistake), code: refusal.code }));
      }
      if (!isAlreadyExists(error)) {
        if (mustAnswer) throw new Failure('CLUSTER_PROVIDER_UNAVAILABLE', noAnswer, { cause: error });
        log.warn({ err: error, shoot: order.cluster.name }, 'Gardener does not answer a dry run; the create will wait');
        return [];
      }
    }
    const present = await read(order, options).catch(() => undefined);
    if (!present || isOurs(order, present)) return [];
    return [{ path: `${inputPath}.name`, message: nameTaken(order), code: 'CLUSTER_NAME_TAKEN' }];
  }

  return {
    kind: 'gardener',

    async check(order, signal, { mustAnswer = false } = {}) {
      const mistakes = checkGardenerConfig(order, project);
      return mistakes.length > 0 ? mistakes.map(asProblem) : dryRun(order, signal, mustAnswer);
    },

    async create(order, operationId, signal) {
      const manifest = await manifestFor({ order, operationId, signal });
      await writeAuthenticationConfigMap(inProject(order), { signal });
      const made = await client.create(shootKind, manifest, { signal }).catch(async (error: unknown) => {
        if (isAlreadyExists(error)) return undefined;
        if (refusalOf(error)) await removeAuthenticationConfigMap(inProject(order), { signal });
        return throwRefusal(error);
      });
      if (made) return bindAuthenticationConfigMap(inProject(order), asShoot(made), { signal });
      const present = await read(order, { signal });
      if (!present) throw new Error(`Shoot ${order.cluster.name} existed a moment ago and does not any more`);
      if (!isOurs(order, present)) {
        await removeAuthenticationConfigMap(inProject(order), { signal });
        throw new Failure('CLUSTER_NAME_TAKEN', nameTaken(order));
      }
      if (present.metadata.deletionTimestamp !== undefined) {
        throw new Error(`Shoot ${order.cluster.name} of this Runtime is still being deleted`);
      }
      await bindAuthenticationConfigMap(inProject(order), present, { signal });
      log.info({ shoot: order.cluster.name, runtimeId: order.runtimeId }, 'adopted the Shoot of an earlier attempt');
    },

    async observe(order, signal) {
      const watched = informer.state.phase === 'watching' ? informer.get(order.cluster.name) : undefined;
      if (watched && ownerOf(asShoot(watched)) === order.runtimeId) {
        const judged = judgeShoot(asShoot(watched));
        // The watch may lag behind what we ourselves did a moment ago, so a final word is asked for.
        if (judged.state !== 'failed') return judged;
      }
      const shoot = await read(order, { signal });
      return shoot && isOurs(order, shoot) ? judgeShoot(shoot) : { state: 'absent' };
    },

    async requestDeletion(order, signal) {
      const shoot = await read(order, { signal });
      if (!shoot || !isOurs(order, shoot)) return removeAuthenticationConfigMap(inProject(order), { signal });
      const { uid, annotations, deletionTimestamp } = shoot.metadata;
      const reference = referenceTo(order);
      try {
        if (deletionTimestamp !== undefined) {
          // A deletion that Gardener gave up does not go on by being asked for again.
          return await retryIfGivenUp(order, shoot, signal);
        }
        if (annotations?.[confirmation] !== 'true') {
          await client.patch(reference, { metadata: { uid, annotations: { [confirmation]: 'true' } } }, { signal });
        }
        await client.delete(reference, { signal, ...(uid !== undefined && { uid }) });
      } catch (error) {
        if (isObjectNotFound(error)) return;
        throwRefusal(error);
      }
    },

    async retry(order, signal) {
      const shoot = await read(order, { signal });
      if (!shoot || !isOurs(order, shoot)) return;
      await retryIfGivenUp(order, shoot, signal).catch((error: unknown) => {
        if (!isObjectNotFound(error)) throwRefusal(error);
      });
    },

    async remains(order, signal) {
      const present = await read(order, { signal });
      const shoot = present && isOurs(order, present) ? present : undefined;
      const configMap = await findAuthenticationConfigMap(inProject(order), { signal });
      const words = [
        ...(shoot ? [`Shoot ${shootIs[judgeShoot(shoot).state]}`] : []),
        ...(configMap === undefined ? [] : [`ConfigMap ${configMap} exists`]),
      ];
      return { cluster: shoot !== undefined, words };
    },

    async manifests(order, signal) {
      const configMap = authenticationConfigMap(order, namespace);
      return [...(configMap ? [configMap] : []), await manifestFor({ order, signal })];
    },

    issueKubeconfig: (request) => issueKubeconfig({ request, client, reference: referenceTo(request.order) }),
    wakeKey: ({ cluster }) => keyOf(cluster.name),
  };
}

function asProblem({ path, message }: { path: string; message: string }): Problem {
  return { path: path === '' ? inputPath : `${inputPath}.${path}`, message };
}
