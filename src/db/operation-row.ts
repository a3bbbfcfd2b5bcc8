import type { RecordedError } from '../domain/failures.ts';
import type { OperationId, RuntimeId } from '../domain/ids.ts';
import {
  type Cancellation,
  cancelledWith,
  type Notes,
  type Operation,
  type OperationKind,
  type OperationState,
} from '../domain/operation.ts';

/** What a SELECT with `operationColumns` answers. */
export interface OperationRow {
  readonly operation_id: string;
  readonly runtime_id: string;
  readonly kind: string;
  readonly state: string;
  readonly stage: string;
  readonly stage_started_at: Date;
  readonly attempt: number;
  readonly message: string;
  readonly progress: number | null;
  readonly notes: Notes;
  readonly last_error: RecordedError | null;
  readonly started_at: Date;
  readonly ended_at: Date | null;
  readonly cancel_requested_at: Date | null;
  readonly cancel_residue: readonly string[] | null;
  readonly retry_of: string | null;
}

/** The columns of an Operation, of a table or a WITH query of that name. */
export function operationColumns(source = 'operation'): string {
  return `${source}.id AS operation_id, ${source}.runtime_id, ${source}.kind, ${source}.state, ${source}.stage,
    ${source}.stage_started_at, ${source}.attempt, ${source}.message, ${source}.progress, ${source}.notes,
    ${source}.last_error, ${source}.started_at, ${source}.ended_at, ${source}.cancel_requested_at,
    ${source}.cancel_residue, ${source}.retry_of`;
}

export function operationFromRow(row: OperationRow): Operation {
  return {
    id: row.operation_id as OperationId,
    runtimeId: row.runtime_id as RuntimeId,
    kind: row.kind as OperationKind,
    state: row.state as OperationState,
    stage: row.stage,
    stageStartedAt: row.stage_started_at,
    attempt: row.attempt,
    message: row.message,
    progress: row.progress ?? undefined,
    notes: row.notes,
    lastError: row.last_error ?? undefined,
    startedAt: row.started_at,
    endedAt: row.ended_at ?? undefined,
    cancellation: cancellationFromRow(row),
    retryOf: (row.retry_of as OperationId | null) ?? undefined,
  };
}

function cancellationFromRow({ state, cancel_requested_at, cancel_residue }: OperationRow): Cancellation | undefined {
  if (cancel_requested_at === null) return undefined;
  if (state === 'InProgress') return { outcome: 'Pending' };
  return cancel_residue === null ? { outcome: 'TooLate' } : cancelledWith(cancel_residue);
}
