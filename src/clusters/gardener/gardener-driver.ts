import { Failure, type Problem } from '../../domain/failures.ts';
import type { OperationId } from '../../domain/ids.ts';
import type { Logger } from '../../domain/logger.ts';
import type { WakeKey } from '../../domain/outcome.ts';
import { Informer, type InformerSettings } from '../../kubernetes/informer.ts';
import type { CallOptions, KubernetesClient, ObjectReference } from '../../kubernetes/kubernetes-client.ts';
import { isObjectNotFound, KubernetesError } from '../../kubernetes/kubernetes-error.ts';
import type { ClusterObservation } from '../cluster-driver.ts';
import { describeSleep, sleepAdvice } from '../describe-sleep.ts';
import {
  bindAuthenticationConfigMap,
  findAuthenticationConfigMap,
  removeAuthenticationConfigMap,
  writeAuthenticationConfigMap,
} from './authentication-config-map.ts';
import { shootChanges } from './change/change-shoot.ts';
import { checkGardenerConfig } from './checks/check-gardener-config.ts';
import { checkProvider } from './checks/check-provider.ts';
import { checkWithProfile } from './checks/check-with-profile.ts';
import { cloudProfiles } from './cloud-profile/cloud-profiles.ts';
import { completeConfig } from './complete-config.ts';
import { deleteShoot, retryIfGivenUp } from './delete-shoot.ts';
import type { GardenerDriver, GardenerOrder } from './gardener-order.ts';
import { changeHibernation, checkHibernation } from './hibernation.ts';
import { issueKubeconfig } from './issue-kubeconfig.ts';
import { shootObserver } from './observe-shoot.ts';
import { ownedShoots } from './owned-shoots.ts';
import { providers } from './providers/providers.ts';
import { isAlreadyExists, refusalOf, throwRefusal } from './refusal.ts';
import { settleShoot } from './settle-shoot.ts';
import { authenticationConfigMap } from './shoot/authentication-config.ts';
import { judgeShoot } from './shoot/judge-shoot.ts';
import { keptShoot } from './shoot/kept-shoot.ts';
import { ownerOf } from './shoot/ownership.ts';
import { rejectedFields, withoutEchoes } from './shoot/rejected-fields.ts';
import { isRelevant } from './shoot/relevant-change.ts';
import { asShoot, type Shoot, type ShootManifest, shootKind } from './shoot/shoot.ts';
import { hibernationOf } from './shoot/shoot-hibernation.ts';
import { shootManifest } from './shoot/shoot-manifest.ts';
import { type FindShootPolicy, shootSettings } from './shoot-settings.ts';

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
  readonly findPolicy?: FindShootPolicy;
  /** Written on each Shoot, to tell it from those of other installations of this service; not when not given. */
  readonly installation?: string;
  readonly log: Logger;
}

const inputPath = 'config.clusterConfig.gardenerConfig';
const noAnswer =
  'Gardener does not answer now, so it cannot be found out what it says to this cluster; try again later';

const shootIs: Readonly<Record<ClusterObservation['state'], string>> = {
  absent: 'is not there',
  changing: 'is being made or changed',
  ready: 'is ready',
  hibernated: 'is hibernated',
  deleting: 'is being deleted',
  failed: 'has failed',
};

/** One watch for all Shoots of the project; to be started and stopped by who made it. */
export function shootInformer(settings: Pick<InformerSettings, 'client' | 'namespace' | 'log' | 'clock'>): Informer {
  return new Informer({ ...settings, kind: shootKind, keep: keptShoot });
}

/** Clusters made by Gardener: a Shoot per Runtime, bound to it by an annotation. */
export function gardenerDriver(settings: GardenerDriverSettings): GardenerDriver {
  const { client, project, namespace, informer, onChange, findPolicy, log } = settings;
  const profiles = cloudProfiles({ client, namespace, log });
  const findSettings = shootSettings({
    ...{ client, namespace, profiles, findPolicy, installation: settings.installation },
    autoUpdateKubernetesVersion: settings.autoUpdateKubernetesVersion ?? false,
    autoUpdateMachineImageVersion: settings.autoUpdateMachineImageVersion ?? false,
  });
  const keyOf = (name: string): WakeKey => `shoot:${namespace}/${name}`;
  const referenceTo = ({ cluster }: GardenerOrder): ObjectReference => ({
    ...shootKind,
    namespace,
    name: cluster.name,
  });

  const observer = shootObserver({ informer, readOurs });

  informer.onChange((change) => {
    if (isRelevant(change)) onChange?.(keyOf(change.object.metadata.name ?? ''));
  });

  const inProject = (order: GardenerOrder) => ({ client, namespace, order });

  async function manifestFor(request: {
    order: GardenerOrder;
    operationId?: OperationId;
    signal: AbortSignal | undefined;
  }): Promise<ShootManifest> {
    const { signal, ...what } = request;
    return shootManifest({ ...what, settings: await findSettings(request.order, signal) });
  }

  /** Only an empty list proves absence: it cannot come from a server that does not serve Shoots at the moment. */
  async function read(order: GardenerOrder, options: CallOptions): Promise<Shoot | undefined> {
    const found = await client.get(referenceTo(order), options);
    if (found) return asShoot(found);
    const fieldSelector = `metadata.name=${order.cluster.name}`;
    const { items } = await client.list(shootKind, { namespace, fieldSelector, ...options });
    return items[0] && asShoot(items[0]);
  }

  async function readOurs(order: GardenerOrder, options: CallOptions): Promise<Shoot | undefined> {
    const shoot = await read(order, options);
    return shoot && isOurs(order, shoot) ? shoot : undefined;
  }

  function isOurs(order: GardenerOrder, shoot: Shoot): boolean {
    const owner = ownerOf(shoot);
    if (owner === order.runtimeId) return true;
    const { name } = order.cluster;
    log.warn({ shoot: name, runtimeId: order.runtimeId, owner }, 'a Shoot of this name belongs to somebody else');
    return false;
  }

  function nameTaken({ cluster: { name } }: GardenerOrder): string {
    return `name "${name}" is taken in the Gardener project "${project}" by a cluster that this Runtime does not own`;
  }

  /** Answers what Gardener's whole admission says to the manifest. */
  async function dryRun(
    order: GardenerOrder,
    signal: AbortSignal | undefined,
    mustAnswer: boolean,
  ): Promise<readonly Problem[]> {
    const options = signal ? { signal } : {};
    try {
      await client.create(shootKind, await manifestFor({ order, signal }), { ...options, dryRun: true });
      return [];
    } catch (error) {
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

    async complete({ cluster }) {
      const { config } = cluster;
      const provider = providers[config.provider];
      if (checkProvider(config).length > 0) return cluster;
      const profile = await profiles.find(provider.cloudProfile(config));
      return { ...cluster, config: completeConfig({ config, provider, profile }) };
    },

    async check(order, signal, { mustAnswer = false } = {}) {
      const own = checkGardenerConfig(order, project);
      // The profile is that of a provider, which must be known for that.
      const isMeasurable = checkProvider(order.cluster.config).length === 0;
      const unoffered = (isMeasurable ? await checkWithProfile(profiles, order) : []).filter(
        ({ path }) => !own.some((known) => known.path === path),
      );
      // Gardener would tell the same again, and what follows from it.
      if (own.length > 0) return [...own, ...unoffered].map(asProblem);
      const told = unoffered.map(asProblem);
      return [...told, ...withoutEchoes(await dryRun(order, signal, mustAnswer), told, inputPath)];
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

    async settle(order, seed, signal) {
      if (!findPolicy || order.cluster.config.seed) return;
      const shoot = observer.watched(order) ?? (await readOurs(order, { signal }));
      if (shoot) await settleShoot({ client, reference: referenceTo(order), shoot, order, seed, findPolicy, signal });
    },

    observe: (order, signal, { since } = {}) => observer.observe(order, { signal, since }),

    ...shootChanges({ client, project, namespace, profiles, readOurs, log }),

    async requestDeletion(order, signal) {
      const shoot = await read(order, { signal });
      if (!shoot || !isOurs(order, shoot)) return removeAuthenticationConfigMap(inProject(order), { signal });
      return deleteShoot({ client, reference: referenceTo(order), shoot, signal });
    },

    async checkHibernation(order, change, signal) {
      try {
        const shoot = await readOurs(order, { signal });
        await checkHibernation({ client, reference: referenceTo(order), change, shoot, signal });
      } catch (error) {
        if (error instanceof Failure) throw error;
        log.warn(
          { err: error, shoot: order.cluster.name },
          'Gardener does not say whether a cluster may be hibernated',
        );
      }
    },

    async changeHibernation(order, change, signal) {
      const shoot = await readOurs(order, { signal });
      return changeHibernation({ client, reference: referenceTo(order), change, shoot, signal });
    },

    async retry(order, signal) {
      const shoot = await read(order, { signal });
      if (!shoot || !isOurs(order, shoot)) return;
      await retryIfGivenUp({ client, reference: referenceTo(order), shoot, signal }).catch((error: unknown) => {
        if (!isObjectNotFound(error)) throwRefusal(error);
      });
    },

    async remains(order, signal) {
      const present = await read(order, { signal });
      const shoot = present && isOurs(order, present) ? present : undefined;
      const configMap = await findAuthenticationConfigMap(inProject(order), { signal });
      const words = [
        ...(shoot ? [`Shoot ${describeShoot(shoot)}`] : []),
        ...(configMap === undefined ? [] : [`ConfigMap ${configMap} exists`]),
      ];
      return { cluster: shoot !== undefined, words };
    },

    async manifests(order, signal) {
      const configMap = authenticationConfigMap(order, namespace);
      return [...(configMap ? [configMap] : []), await manifestFor({ order, signal })];
    },

    async issueKubeconfig(request) {
      const { order } = request;
      refuseAsleep(order, informer.state.phase === 'watching' ? observer.watched(order) : undefined);
      return issueKubeconfig({ request, client, reference: referenceTo(order) });
    },
    wakeKey: ({ cluster }) => keyOf(cluster.name),
    get safetyNet() {
      return observer.safetyNet;
    },
    owned: ownedShoots({ client, namespace, informer }),
  };
}

function describeShoot(shoot: Shoot): string {
  const { state, hibernation } = judgeShoot(shoot);
  return (state === 'changing' && hibernation && describeSleep(hibernation)) || shootIs[state];
}

/** Gardener would issue one that leads nowhere. */
function refuseAsleep({ cluster: { name } }: GardenerOrder, shoot: Shoot | undefined): void {
  const hibernation = shoot && hibernationOf(shoot);
  const sleep = hibernation && describeSleep(hibernation);
  if (!hibernation || sleep === undefined) return;
  const message = `cluster ${name} ${sleep} and cannot issue a kubeconfig now; ${sleepAdvice(hibernation)}`;
  throw new Failure('KUBECONFIG_UNAVAILABLE', message);
}

function asProblem({ path, message }: { path: string; message: string }): Problem {
  return { path: path === '' ? inputPath : `${inputPath}.${path}`, message };
}
