import type { ClusterDrivers, IssuedKubeconfig } from '../clusters/cluster-driver.ts';
import { clusterOrder } from '../clusters/cluster-order.ts';
import type { ClusterWatches } from '../clusters/cluster-watch.ts';
import type { Database } from '../db/database.ts';
import { findKeptKubeconfig, type KubeconfigKey, keepKubeconfig } from '../db/queries/kept-kubeconfigs.ts';
import type { StoredRuntimeStatus } from '../db/queries/read-runtime-status.ts';
import { Failure } from '../domain/failures.ts';
import type { Logger } from '../domain/logger.ts';

export interface KubeconfigWish {
  readonly role: 'admin' | 'viewer';
  readonly lifetimeSeconds: number;
}

/** How long a caller is kept waiting for the provider, in milliseconds. */
const patience = 8_000;
/** In seconds; what is longer is shortened, as Gardener does by itself. */
const lifetimeBounds = { shortest: 600, longest: 86_400 };

/**
 * Kubeconfigs for callers. One that was issued is answered again, by every replica, while the first half of its life
 * lasts and nothing has happened to the cluster.
 */
export class Kubeconfigs {
  readonly #database: Database;
  readonly #drivers: ClusterDrivers;
  readonly #watches: ClusterWatches;
  readonly #log: Logger;
  readonly #underWay = new Map<string, Promise<IssuedKubeconfig>>();

  constructor(settings: {
    readonly database: Database;
    readonly drivers: ClusterDrivers;
    readonly watches: ClusterWatches;
    readonly log: Logger;
  }) {
    this.#database = settings.database;
    this.#drivers = settings.drivers;
    this.#watches = settings.watches;
    this.#log = settings.log;
  }

  /**
   * Undefined when there is no cluster, or none yet, that could issue one. Throws INVALID_INPUT for too short a life,
   * and what the driver throws.
   */
  async find(status: StoredRuntimeStatus, wish: KubeconfigWish): Promise<IssuedKubeconfig | undefined> {
    const { runtime, lastOperation } = status;
    const { shortest, longest } = lifetimeBounds;
    if (wish.lifetimeSeconds < shortest) {
      const message = `expirationSeconds: ${wish.lifetimeSeconds} is too short; ask for ${shortest} to ${longest}`;
      throw new Failure('INVALID_INPUT', message, { path: 'expirationSeconds' });
    }
    if (runtime.deletedAt) return undefined;
    const lifetimeSeconds = Math.min(wish.lifetimeSeconds, longest);
    const key = { runtimeId: runtime.id, role: wish.role, lifetimeSeconds, version: this.#version(status) };
    try {
      return await this.#once(key, () => this.#keptOrNew(status, key));
    } catch (error) {
      const notThereYet = lastOperation.kind === 'Provision' && lastOperation.state === 'InProgress';
      if (notThereYet && error instanceof Failure && error.code === 'KUBECONFIG_UNAVAILABLE') return undefined;
      throw error;
    }
  }

  /** Those who ask for the same at the same time get the same. */
  #once(key: KubeconfigKey, work: () => Promise<IssuedKubeconfig>): Promise<IssuedKubeconfig> {
    const name = JSON.stringify(key);
    const running = this.#underWay.get(name) ?? work().finally(() => this.#underWay.delete(name));
    this.#underWay.set(name, running);
    return running;
  }

  async #keptOrNew({ runtime }: StoredRuntimeStatus, key: KubeconfigKey): Promise<IssuedKubeconfig> {
    const database = this.#database;
    const kept = await findKeptKubeconfig({ database, key });
    if (kept) return kept;
    const { role, lifetimeSeconds } = key;
    const issuedAt = new Date();
    const order = clusterOrder(runtime);
    const driver = this.#drivers[runtime.cluster.driver];
    const signal = AbortSignal.timeout(patience);
    const issued = await driver.issueKubeconfig({ order, role, lifetimeSeconds, signal });
    const { kubeconfig, expiresAt } = issued;
    if (expiresAt) {
      await keepKubeconfig({ database, key, kept: { kubeconfig, issuedAt, expiresAt } }).catch((error: unknown) => {
        this.#log.warn({ err: error, runtimeId: runtime.id }, 'a kubeconfig cannot be kept');
      });
    }
    return issued;
  }

  /** What an operation does, and a rotation of credentials, may make kubeconfigs useless. */
  #version({ runtime, lastOperation }: StoredRuntimeStatus): string {
    const { driver, name } = runtime.cluster;
    const sight = this.#watches[driver]?.look({ runtimeId: runtime.id, name });
    return JSON.stringify([lastOperation.id, lastOperation.stage, sight?.seen?.credentials]);
  }
}
