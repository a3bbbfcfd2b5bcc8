import type { KubernetesApi } from '../kubernetes/kubernetes-api.ts';
import type { KubeObject } from '../kubernetes/resource-type.ts';
import type { Pace } from '../pace.ts';
import { whenNudged } from '../when-nudged.ts';
import { projectOf } from './project.ts';
import { bindToSeed, findSeed, reportNoSeed } from './scheduler.ts';
import { describeError, type ShootFates, type ShootOperationType, type StrikingFate } from './shoot-fates.ts';
import {
  gardenerVersion,
  isHibernationPossible,
  type LastOperation,
  setHealth,
  setHibernationPossible,
  setLastErrors,
  setLastOperation,
} from './shoot-status.ts';
import { shootTasks, succeededDescriptions } from './shoot-tasks.ts';

/** The clusters behind the Shoots. */
export interface ShootClusters {
  /** Brings the API server up, or back up; answers its addresses. Repeating it is fine. */
  start(technicalId: string, kubernetesVersion: string): { external: string; internal: string };
  /** The worker pools' machines join or leave: as many Nodes of that name as given. */
  setNodes(technicalId: string, pool: string, count: number): void;
  /** Takes machines and API server away and keeps what it holds. */
  hibernate(technicalId: string): void;
  destroy(technicalId: string): void;
}

export interface ShootActorOptions {
  readonly garden: KubernetesApi;
  readonly clusters: ShootClusters;
  readonly fates: ShootFates;
  readonly pace: Pace;
  readonly namespace: string;
  readonly name: string;
  /** A later Shoot of the same name has another actor. */
  readonly uid: string;
}

interface Work {
  readonly type: ShootOperationType;
  task: number;
}

/**
 * Plays scheduler and gardenlet for one Shoot. It looks at the Shoot whenever it is nudged, does one task of the
 * operation that is due, and looks again, until nothing is left to do or a fate holds it.
 *
 * idle → (no seed | bound) → at work, task by task → Succeeded, Failed (until the generation rises) or gone.
 */
export class ShootActor {
  readonly #options: ShootActorOptions;
  #work: Work | undefined;
  /** What the nodes of each pool are made of. */
  readonly #nodes = new Map<string, string>();

  constructor(options: ShootActorOptions) {
    this.#options = options;
  }

  /** Something changed: the Shoot or its fate. */
  readonly nudge = whenNudged(async () => {
    while (await this.#step());
  });

  /** Answers false when there is nothing to do until the next nudge. */
  async #step(): Promise<boolean> {
    const shoot = this.#read();
    if (!shoot) return false;
    this.#checkWebhooks(shoot);
    if (shoot.metadata.deletionTimestamp && this.#work?.type !== 'Delete') this.#work = undefined;
    if (!this.#work && !shoot.spec.seedName && !shoot.metadata.deletionTimestamp) return this.#schedule(shoot);
    if (!this.#work) {
      const type = dueOperation(shoot);
      if (!type || (type !== 'Delete' && this.#options.fates.leavesUnseen(this.#options.name))) return false;
      this.#begin(type, shoot);
      return true;
    }
    return this.#workOn(this.#work, shoot);
  }

  async #schedule(shoot: KubeObject): Promise<boolean> {
    const { garden, fates, pace, namespace, name } = this.#options;
    const seed = fates.leavesWithoutSeed(name) ? undefined : findSeed(garden, shoot);
    if (seed === undefined) {
      reportNoSeed(garden, namespace, name);
      return false;
    }
    await pace.pass('scheduling');
    const newest = this.#read();
    if (newest && !newest.metadata.deletionTimestamp) bindToSeed(garden, namespace, name, seed);
    return true;
  }

  #begin(type: ShootOperationType, { spec }: KubeObject): void {
    this.#work = { type, task: 0 };
    const technicalID = this.#technicalId();
    this.#write((shoot) => {
      const status = { ...shoot.status };
      status.observedGeneration = shoot.metadata.generation;
      status.seedName = spec.seedName;
      status.technicalID ??= technicalID;
      status.uid ??= shoot.metadata.uid;
      status.clusterIdentity ??= `${technicalID}-${shoot.metadata.uid}-landscape`;
      status.gardener = { id: 'landscape', name: 'gardenlet', version: gardenerVersion };
      status.hibernated ??= false;
      status.networking = {
        nodes: [spec.networking.nodes],
        pods: [spec.networking.pods],
        services: [spec.networking.services],
      };
      status.retryCycleStartTime = new Date().toISOString();
      shoot.status = status;
      if (type !== 'Delete')
        shoot.metadata.finalizers = [...new Set([...(shoot.metadata.finalizers ?? []), 'gardener'])];
      setHealth(shoot, 'progressing');
      const description = `${type === 'Delete' ? 'Deletion' : 'Reconciliation'} of Shoot cluster initialized.`;
      setLastOperation(shoot, { type, state: 'Processing', progress: 0, description });
    });
  }

  async #workOn(work: Work, shoot: KubeObject): Promise<boolean> {
    const { fates, pace, name } = this.#options;
    const task = shootTasks[work.type][work.task];
    if (!task) return this.#succeed(work, shoot);
    const operation: LastOperation = {
      type: work.type,
      state: 'Processing',
      progress: task.progress,
      description: task.description,
    };
    const fate = fates.strikes(name, work.type, task.stage);
    if (fate) {
      this.#write((target) => setLastOperation(target, operation));
      return this.#suffer(fate, operation);
    }
    // Nobody could see the tasks go by, so each is not worth a write.
    if (pace.name !== 'instant') {
      this.#write((target) => setLastOperation(target, operation));
      await pace.pass(work.type === 'Delete' ? 'shootDeletionTask' : 'shootTask');
    }
    const newest = this.#read();
    if (!newest || this.#work !== work) return true;
    if (newest.metadata.deletionTimestamp && work.type !== 'Delete') return true;
    if (task.stage === 'apiserver') await this.#rollOutApiServer(work.type, newest);
    if (task.stage === 'workers') await this.#rollOutWorkers(work.type, newest);
    work.task += 1;
    return true;
  }

  /** As Gardener's care controller does, apart from any operation. */
  #checkWebhooks(shoot: KubeObject): void {
    const possible = isHibernationPossible(shoot);
    const wanted = !this.#options.fates.hasProblematicWebhook(this.#options.name);
    if (possible === undefined || possible === wanted) return;
    this.#write((target) => setHibernationPossible(target, wanted));
  }

  async #suffer(fate: StrikingFate, operation: LastOperation): Promise<boolean> {
    if (fate.kind === 'stuck') return false;
    const description = describeError(fate, operation.description, this.#technicalId());
    const state = fate.kind === 'failed' ? 'Failed' : 'Error';
    const suffix = fate.kind === 'error' ? ' Operation will be retried.' : '';
    this.#write((shoot) => {
      setHealth(shoot, 'unhealthy');
      setLastErrors(shoot, description, fate.codes ?? [], operation.description);
      setLastOperation(shoot, {
        ...operation,
        state,
        description: `Flow "Shoot cluster ${flowNames[operation.type]}" encountered task errors: [${description}]${suffix}`,
      });
    });
    if (fate.kind === 'failed') {
      this.#work = undefined;
      if (isRateLimit(fate.codes)) void this.#retryLater();
      return false;
    }
    await this.#options.pace.pass('shootRetry');
    return true;
  }

  /** Gardener's controller-manager asks for a retry by itself when nothing but a rate limit was in the way. */
  async #retryLater(): Promise<void> {
    await this.#options.pace.pass('rateLimitRetry');
    if (this.#read()?.status?.lastOperation?.state !== 'Failed') return;
    this.#write((shoot) => {
      shoot.metadata.annotations = { ...shoot.metadata.annotations, 'gardener.cloud/operation': 'retry' };
    });
  }

  async #rollOutApiServer(type: ShootOperationType, { spec }: KubeObject): Promise<void> {
    const { clusters, pace } = this.#options;
    if (pace.name === 'instant') await pace.pass('shootTask');
    const technicalId = this.#technicalId();
    if (type === 'Delete') return clusters.destroy(technicalId);
    if (spec.hibernation?.enabled) return clusters.hibernate(technicalId);
    const { external, internal } = clusters.start(technicalId, spec.kubernetes.version);
    this.#write((shoot) => {
      shoot.status.advertisedAddresses = [
        { name: 'external', url: external },
        { name: 'internal', url: internal },
        { name: 'service-account-issuer', url: external },
      ];
    });
  }

  async #rollOutWorkers(type: ShootOperationType, { spec }: KubeObject): Promise<void> {
    for (const pool of spec.provider.workers ?? []) {
      const nodes = JSON.stringify([spec.kubernetes.version.split('.', 2), ...rollingParts.map((part) => pool[part])]);
      const present = this.#nodes.get(pool.name);
      if (type === 'Reconcile' && present !== undefined && present !== nodes) {
        await this.#options.pace.pass('nodesRollout');
      }
      this.#nodes.set(pool.name, nodes);
      this.#options.clusters.setNodes(this.#technicalId(), pool.name, type === 'Delete' ? 0 : pool.minimum);
    }
  }

  async #succeed({ type }: Work, { spec }: KubeObject): Promise<boolean> {
    this.#work = undefined;
    const hibernated = spec.hibernation?.enabled === true;
    this.#write((shoot) => {
      delete shoot.status.lastErrors;
      shoot.status.hibernated = hibernated;
      if (type !== 'Delete') setHealth(shoot, 'healthy');
      setLastOperation(shoot, { type, state: 'Succeeded', progress: 100, description: succeededDescriptions[type] });
    });
    if (type !== 'Delete') return true;
    this.#write((shoot) => {
      shoot.metadata.finalizers = (shoot.metadata.finalizers ?? []).filter((finalizer) => finalizer !== 'gardener');
    });
    return false;
  }

  #technicalId(): string {
    const { garden, namespace, name } = this.#options;
    return `shoot--${projectOf(garden, namespace)}--${name}`;
  }

  #read(): KubeObject | undefined {
    const { garden, namespace, name, uid } = this.#options;
    const shoot = garden.read('shoots', namespace, name);
    return shoot?.metadata.uid === uid ? shoot : undefined;
  }

  #write(change: (shoot: KubeObject) => void): void {
    const { garden, namespace, name } = this.#options;
    if (this.#read()) garden.write('shoots', namespace, name, change);
  }
}

/** Of a pool of nodes: when one of them changes, so do the nodes. So they do for another minor version of Kubernetes. */
const rollingParts = ['machine', 'volume', 'providerConfig', 'cri'] as const;

const flowNames: Readonly<Record<ShootOperationType, string>> = {
  Create: 'reconciliation',
  Reconcile: 'reconciliation',
  Delete: 'deletion',
};

function isRateLimit(codes: readonly string[] = []): boolean {
  return codes.length > 0 && codes.every((code) => code === 'ERR_INFRA_RATE_LIMITS_EXCEEDED');
}

/** The operation that a Shoot needs now. */
function dueOperation({ metadata, status }: KubeObject): ShootOperationType | undefined {
  const last = status?.lastOperation;
  if (metadata.deletionTimestamp) {
    const failed =
      last?.type === 'Delete' && last.state === 'Failed' && status?.observedGeneration === metadata.generation;
    return failed ? undefined : 'Delete';
  }
  if (!last || last.state === 'Pending') return 'Create';
  if (status?.observedGeneration === metadata.generation) return undefined;
  return last.type === 'Create' && last.state !== 'Succeeded' ? 'Create' : 'Reconcile';
}
