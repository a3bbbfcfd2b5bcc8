import { EventEmitter } from 'node:events';
import type { RecordedError } from '../domain/failures.ts';
import type { Logger } from '../domain/logger.ts';
import type { Operation } from '../domain/operation.ts';

/** The operation as it is after what is told. */
interface OfOperation {
  readonly operation: Operation;
}

interface OfStage extends OfOperation {
  /** The stage that is told of; `operation.stage` may be the next one already. */
  readonly stage: string;
}

/** What the engine tells of itself: after the fact, once it is durable. Durations in milliseconds. */
export interface EngineEventMap {
  'operation:claimed': [OfOperation];
  'operation:succeeded': [OfOperation & { readonly durationMillis: number }];
  'operation:failed': [OfStage & { readonly error: RecordedError; readonly durationMillis: number }];
  /** Ended because the caller asked for it; `operation.cancellation` says what is left. */
  'operation:cancelled': [OfStage & { readonly durationMillis: number }];
  /** This run ended without a say: the operation is another replica's, or will be. */
  'operation:lost': [OfOperation];
  /** Let go of because this process stops. */
  'operation:released': [OfOperation];

  'stage:started': [OfStage];
  'stage:skipped': [OfStage];
  'stage:done': [OfStage & { readonly durationMillis: number }];
  /** `changed` is false when there was nothing new to tell the caller. */
  'stage:waiting': [OfStage & { readonly message: string; readonly changed: boolean; readonly dueInMillis: number }];
  'stage:retrying': [
    OfStage & { readonly error: RecordedError; readonly failures: number; readonly dueInMillis: number },
  ];
  /** The deadline passed, and the flow goes on with the next stage. */
  'stage:timed-out': [OfStage & { readonly durationMillis: number }];

  'replica:joined': [{ readonly replicaId: string }];
  /** This process could not say that it lives, or was given up by the others; it goes on under a new id. */
  'replica:expired': [{ readonly replicaId: string; readonly running: number }];
  /** Operations of a replica that fell silent were taken from it. */
  takeover: [{ readonly operationId: string; readonly previousOwner: string }];
}

/** One event as a value: its name, then what it tells. */
export type EngineNotice = {
  [Name in keyof EngineEventMap]: readonly [Name, EngineEventMap[Name][0]];
}[keyof EngineEventMap];

/** Logs, metrics and tests listen here. A listener that throws is logged and harms nobody. */
export class EngineEvents extends EventEmitter<EngineEventMap> {
  readonly #log: Logger;

  constructor(log: Logger) {
    super();
    this.#log = log;
  }

  tell(notice: EngineNotice): void {
    const [name, event] = notice;
    try {
      // The pair belongs together by its type; TypeScript cannot follow it through the call.
      (this.emit as (name: string, event: object) => boolean).call(this, name, event);
    } catch (error) {
      this.#log.error({ event: name, error }, 'a listener of an engine event failed');
    }
  }
}
