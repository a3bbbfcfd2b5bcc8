import type { Logger } from '../../domain/logger.ts';
import type { GkeClient, GkePlace } from './gke-client.ts';
import type { GkeOrder } from './gke-order.ts';
import { placeOf } from './gke-order.ts';
import type { GkeClusterState, GkeOperationState } from './gke-resources.ts';

interface Followed {
  readonly order: GkeOrder;
  /** What was seen last; undefined before the first look. */
  seen: string | undefined;
}

/** A project with all clusters in it that are followed with the same credentials. */
interface Project {
  readonly place: GkePlace;
  readonly followed: Map<string, Followed>;
  failures: number;
  timer: NodeJS.Timeout | undefined;
}

export interface ClusterPollerSettings {
  readonly client: GkeClient;
  /** Between two looks at a project, in milliseconds. */
  readonly everyMilliseconds: number;
  readonly onChange: (order: GkeOrder) => void;
  readonly log: Logger;
}

const longestPauseMilliseconds = 60_000;

/**
 * GKE has no watch: whoever waits for a cluster is woken by a look at its whole project, two requests however many of its
 * clusters are in the making. A cluster at rest is not looked at.
 */
export class ClusterPoller {
  readonly #settings: ClusterPollerSettings;
  readonly #projects = new Map<string, Project>();
  readonly #stopped = new AbortController();
  readonly #looks = new Set<Promise<void>>();

  constructor(settings: ClusterPollerSettings) {
    this.#settings = settings;
  }

  /** Announces what becomes of the cluster from now on, until it is at rest or gone. */
  follow(order: GkeOrder): void {
    if (this.#stopped.signal.aborted) return;
    const { secretName, project: name } = placeOf(order);
    const key = `${secretName} ${name}`;
    const project = this.#projects.get(key) ?? {
      place: { secretName, project: name, location: '-' },
      followed: new Map(),
      failures: 0,
      timer: undefined,
    };
    this.#projects.set(key, project);
    if (!project.followed.has(order.runtimeId)) project.followed.set(order.runtimeId, { order, seen: undefined });
    this.#schedule(key, project);
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    for (const { timer } of this.#projects.values()) clearTimeout(timer);
    await Promise.allSettled([...this.#looks]);
  }

  #schedule(key: string, project: Project): void {
    if (project.timer !== undefined || this.#stopped.signal.aborted) return;
    const pause = Math.min(this.#settings.everyMilliseconds * 2 ** project.failures, longestPauseMilliseconds);
    project.timer = setTimeout(() => {
      const look = this.#look(key, project).finally(() => this.#looks.delete(look));
      this.#looks.add(look);
    }, pause);
    project.timer.unref();
  }

  async #look(key: string, project: Project): Promise<void> {
    const { client, log } = this.#settings;
    const { signal } = this.#stopped;
    try {
      const [{ clusters, complete }, operations] = await Promise.all([
        client.clusters(project.place, signal),
        client.operations(project.place, signal),
      ]);
      project.failures = 0;
      for (const [id, followed] of project.followed)
        this.#compare({ project, id, followed, clusters, complete, operations });
    } catch (error) {
      if (signal.aborted) return;
      project.failures += 1;
      const { project: name } = project.place;
      log.warn({ err: error, project: name }, 'cannot look at the clusters of a Google Cloud project');
      // Whoever waits is told by its own look why nothing comes.
      if (project.failures === 3) this.#announceAll(project);
    }
    project.timer = undefined;
    if (project.followed.size === 0) this.#projects.delete(key);
    else this.#schedule(key, project);
  }

  #compare({
    project,
    id,
    followed,
    clusters,
    complete,
    operations,
  }: {
    project: Project;
    id: string;
    followed: Followed;
    clusters: readonly GkeClusterState[];
    complete: boolean;
    operations: readonly GkeOperationState[];
  }): void {
    const { order } = followed;
    const { location } = placeOf(order);
    const { name } = order.cluster;
    const cluster = clusters.find((other) => other.name === name && other.location === location);
    if (!cluster && !complete) return;
    const running = runningOperation(operations, { location, name });
    const seen = digest(cluster, running);
    if (seen !== followed.seen) {
      followed.seen = seen;
      this.#settings.onChange(order);
    }
    if (!running && isAtRest(cluster)) project.followed.delete(id);
  }

  #announceAll({ followed }: Project): void {
    for (const { order } of followed.values()) this.#settings.onChange(order);
  }
}

/** The operation that GKE carries out on the cluster now. */
export function runningOperation(
  operations: readonly GkeOperationState[],
  { location, name }: { readonly location: string; readonly name: string },
): GkeOperationState | undefined {
  return operations.find((operation) => operation.status !== 'DONE' && isOn(operation, { location, name }));
}

/** Whether the operation is on that cluster. Google's links name the project by its number, and a zone by `zones`. */
export function isOn(
  { targetLink = '' }: GkeOperationState,
  { location, name }: { readonly location: string; readonly name: string },
): boolean {
  return new RegExp(`/(zones|locations)/${location}/clusters/${name}(/|$)`).test(targetLink);
}

function digest(cluster: GkeClusterState | undefined, running: GkeOperationState | undefined): string {
  if (!cluster) return running ? 'not there yet' : 'gone';
  const { status, endpoint, currentMasterVersion, nodePools = [], conditions } = cluster;
  const pools = nodePools.map((pool) => [pool.name, pool.status, pool.version, pool.initialNodeCount]);
  const progress = running?.progress?.metrics;
  return JSON.stringify([status, endpoint, currentMasterVersion, pools, conditions, running?.name, progress]);
}

function isAtRest(cluster: GkeClusterState | undefined): boolean {
  return cluster === undefined || ['RUNNING', 'ERROR', 'DEGRADED'].includes(cluster.status ?? '');
}
