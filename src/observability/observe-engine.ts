import type { EventEmitter } from 'node:events';
import type { RecordedError } from '../domain/failures.ts';
import type { Logger } from '../domain/logger.ts';
import type { Operation } from '../domain/operation.ts';
import type { Metrics } from './metrics.ts';

interface OfOperation {
  readonly operation: Operation;
}

interface OfStage extends OfOperation {
  readonly stage: string;
}

/** What is listened for: the part of the engine's events that logs and metrics tell of. Durations in milliseconds. */
interface ObservedEvents {
  'operation:claimed': OfOperation;
  'operation:succeeded': OfOperation & { readonly durationMillis: number };
  'operation:failed': OfStage & { readonly error: RecordedError; readonly durationMillis: number };
  'operation:cancelled': OfStage & { readonly durationMillis: number };
  'operation:lost': OfOperation;
  'operation:released': OfOperation;
  'stage:skipped': OfStage;
  'stage:done': OfStage & { readonly durationMillis: number };
  'stage:waiting': OfStage & { readonly message: string; readonly changed: boolean; readonly dueInMillis: number };
  'stage:retrying': OfStage & { readonly error: RecordedError; readonly failures: number };
  'stage:timed-out': OfStage & { readonly durationMillis: number };
  'replica:joined': { readonly replicaId: string };
  'replica:expired': { readonly replicaId: string; readonly running: number };
  takeover: { readonly operationId: string; readonly previousOwner: string };
}

/** Satisfied by an emitter of these events, and of more. */
export type ObservableEngine = Pick<EventEmitter<{ [Name in keyof ObservedEvents]: [ObservedEvents[Name]] }>, 'on'>;

/** Writes what the engine does into the log and the metrics. */
export function observeEngine({
  events,
  metrics,
  log,
}: {
  events: ObservableEngine;
  metrics: Metrics;
  log: Logger;
}): void {
  countIn(metrics, events);
  events.on('operation:claimed', ({ operation }) => log.debug(about(operation), 'operation claimed'));
  events.on('operation:succeeded', ({ operation, durationMillis }) =>
    log.info({ ...about(operation), durationMillis }, 'operation succeeded'),
  );
  events.on('operation:failed', ({ operation, stage, error, durationMillis }) =>
    log.warn({ ...about(operation), stage, error, durationMillis }, 'operation failed'),
  );
  events.on('operation:cancelled', ({ operation, stage, durationMillis }) =>
    log.info(
      { ...about(operation), stage, cancellation: operation.cancellation, durationMillis },
      'operation cancelled',
    ),
  );
  events.on('operation:lost', ({ operation }) => log.warn(about(operation), 'operation lost to another replica'));
  events.on('operation:released', ({ operation }) => log.info(about(operation), 'operation released'));
  events.on('stage:skipped', ({ operation, stage }) => log.debug({ ...about(operation), stage }, 'stage skipped'));
  events.on('stage:done', ({ operation, stage, durationMillis }) =>
    log.info({ ...about(operation), stage, durationMillis }, 'stage done'),
  );
  events.on('stage:waiting', ({ operation, stage, message, changed, dueInMillis }) => {
    const fields = { ...about(operation), stage, waitingFor: message, dueInMillis };
    if (changed) log.info(fields, 'stage waiting');
    else log.debug(fields, 'stage still waiting');
  });
  events.on('stage:retrying', ({ operation, stage, error, failures }) =>
    log.warn({ ...about(operation), stage, error, failures }, 'stage will be tried again'),
  );
  events.on('stage:timed-out', ({ operation, stage, durationMillis }) =>
    log.warn({ ...about(operation), stage, durationMillis }, 'stage timed out, going on'),
  );
  events.on('replica:joined', (event) => log.info(event, 'replica joined'));
  events.on('replica:expired', (event) =>
    log.error(event, 'replica was silent for too long, and goes on under a new id'),
  );
  events.on('takeover', (event) => log.warn(event, 'operation taken over from a replica that fell silent'));
}

function countIn(metrics: Metrics, events: ObservableEngine): void {
  events.on('operation:succeeded', ({ operation: { kind }, durationMillis }) => {
    metrics.operationsFinished.inc({ kind, outcome: 'succeeded', code: '' });
    metrics.operationDuration.observe({ kind, outcome: 'succeeded' }, durationMillis / 1000);
  });
  events.on('operation:failed', ({ operation: { kind }, error, durationMillis }) => {
    metrics.operationsFinished.inc({ kind, outcome: 'failed', code: error.code });
    metrics.operationDuration.observe({ kind, outcome: 'failed' }, durationMillis / 1000);
  });
  events.on('operation:cancelled', ({ operation: { kind, lastError }, durationMillis }) => {
    metrics.operationsFinished.inc({ kind, outcome: 'cancelled', code: lastError?.code ?? '' });
    metrics.operationDuration.observe({ kind, outcome: 'cancelled' }, durationMillis / 1000);
  });
  for (const name of ['stage:done', 'stage:timed-out'] as const) {
    events.on(name, ({ operation: { kind }, stage, durationMillis }) =>
      metrics.stageDuration.observe({ kind, stage }, durationMillis / 1000),
    );
  }
  events.on('stage:retrying', ({ operation: { kind }, stage }) => metrics.stageRetries.inc({ kind, stage }));
  events.on('takeover', () => metrics.takeovers.inc());
  events.on('replica:expired', () => metrics.replicaExpiries.inc());
}

function about({ id, runtimeId, kind, stage, attempt }: Operation): object {
  return { operationId: id, runtimeId, kind, stage, attempt };
}
