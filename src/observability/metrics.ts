import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Logger } from '../domain/logger.ts';
import { type OperationKind, operationKinds } from '../domain/operation.ts';

/** Seconds, from a stage that finds its work done to a cluster that takes hours. */
const operationBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14_400];
const callBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export interface EngineState {
  /** Operations whose stages run in this process now. */
  readonly running: number;
  /** How many may. */
  readonly capacity: number;
}

export type Metrics = ReturnType<typeof createMetrics>;

/**
 * All metrics of the service, in a registry of their own. Labels take few values, all from tables in the code: never an
 * id, a message or anything that a caller sent.
 *
 * `operationsInProgress` counts those of all replicas, from the database; when it throws, those gauges are left out of
 * that answer.
 */
export function createMetrics({
  operationsInProgress,
  engine,
  log,
}: {
  operationsInProgress: () => Promise<Readonly<Partial<Record<OperationKind, number>>>>;
  engine: () => EngineState;
  log: Logger;
}) {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });

  addOperationsInProgress(registry, countOnce(operationsInProgress, log));
  new Gauge({
    name: 'provisioner_engine_running',
    help: 'Operations whose stages run in this process',
    registers,
    collect() {
      this.set(engine().running);
    },
  });
  new Gauge({
    name: 'provisioner_engine_capacity',
    help: 'How many operations may run stages in this process at once',
    registers,
    collect() {
      this.set(engine().capacity);
    },
  });

  return {
    registry,
    operationsFinished: new Counter({
      name: 'provisioner_operations_finished_total',
      help: 'Operations that this process brought to their end; code is empty for success',
      labelNames: ['kind', 'outcome', 'code'],
      registers,
    }),
    operationDuration: new Histogram({
      name: 'provisioner_operation_duration_seconds',
      help: 'From the acceptance of an operation to its end',
      labelNames: ['kind', 'outcome'],
      buckets: operationBuckets,
      registers,
    }),
    stageDuration: new Histogram({
      name: 'provisioner_stage_duration_seconds',
      help: 'From the beginning of a stage to its end, with all its waiting',
      labelNames: ['kind', 'stage'],
      buckets: operationBuckets,
      registers,
    }),
    stageRetries: new Counter({
      name: 'provisioner_stage_retries_total',
      help: 'Tries of a stage that will be repeated because of an error',
      labelNames: ['kind', 'stage'],
      registers,
    }),
    takeovers: new Counter({
      name: 'provisioner_takeovers_total',
      help: 'Operations taken over from a replica that fell silent',
      registers,
    }),
    replicaExpiries: new Counter({
      name: 'provisioner_replica_expiries_total',
      help: 'Times that this process could not say that it lives and gave up its operations',
      registers,
    }),
    clustersLost: new Gauge({
      name: 'provisioner_clusters_lost',
      help: 'Runtimes whose cluster was deleted, but not through this service, of all replicas',
      registers,
    }),
    orphans: new Gauge({
      name: 'provisioner_orphans',
      help: 'Things outside that this installation has made and that belong to no Runtime, of all replicas',
      labelNames: ['where'],
      registers,
    }),
    upstreamDuration: new Histogram({
      name: 'provisioner_upstream_request_duration_seconds',
      help: 'From sending a request to the head of its answer; status is 2xx to 5xx, or error without an answer',
      labelNames: ['upstream', 'method', 'status'],
      buckets: callBuckets,
      registers,
    }),
  };
}

type Counts = Readonly<Partial<Record<OperationKind, number>>> | undefined;

/** Undefined when they cannot be counted. All gauges of one scrape share one count. */
function countOnce(count: () => Promise<NonNullable<Counts>>, log: Logger): () => Promise<Counts> {
  let running: Promise<Counts> | undefined;
  return () => {
    running ??= count()
      .catch((error: unknown) => {
        log.warn({ err: error }, 'operations in progress cannot be counted');
        return undefined;
      })
      .finally(() => {
        running = undefined;
      });
    return running;
  };
}

/** Ours, and those of the original under both names that they had; these end in `_total` although they are gauges. */
function addOperationsInProgress(registry: Registry, count: () => Promise<Counts>): void {
  const registers = [registry];
  new Gauge({
    name: 'provisioner_operations_in_progress',
    help: 'Operations in progress, of all replicas',
    labelNames: ['kind'],
    registers,
    async collect() {
      const counts = await count();
      this.reset();
      if (counts) for (const kind of operationKinds) this.set({ kind }, counts[kind] ?? 0);
    },
  });
  for (const prefix of ['compass', 'kcp']) {
    for (const kind of ['Provision', 'Deprovision', 'Upgrade'] as const) {
      new Gauge({
        name: `${prefix}_provisioner_in_progress_${kind.toLowerCase()}_operations_total`,
        help: `Operations ${kind} in progress, of all replicas`,
        registers,
        async collect() {
          const counts = await count();
          if (counts) this.set(counts[kind] ?? 0);
          else this.remove();
        },
      });
    }
  }
}
