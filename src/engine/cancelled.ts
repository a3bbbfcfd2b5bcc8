import { Failure } from '../domain/failures.ts';
import type { Leftovers } from '../domain/flow.ts';
import { describeError, storableText } from './describe-error.ts';
import { durationOf, type Position, type Transition, unharmed } from './transition.ts';

/** As after a failure the stage stays readable; what is left outside stands beside it. */
export function cancelled({ residue, runtime }: Leftovers, standing: Position): Transition {
  const { operation } = standing;
  const lines = residue.map(storableText);
  const left = lines.length === 0 ? 'nothing is left outside' : `what is left: ${lines.join('; ')}`;
  const message = `operation cancelled by the caller in stage ${operation.stage}; ${left}`;
  const error = describeError(new Failure('OPERATION_CANCELLED', message));
  return {
    change: {
      ...unharmed(standing),
      state: 'Failed',
      message: error.message,
      lastError: error,
      wakeKey: undefined,
      events: [{ type: 'Cancelled', stage: operation.stage, message: error.message, error }],
      runtime,
      residue: lines,
    },
    looks: standing.looks,
    next: { kind: 'release', dueInMillis: 0 },
    notices: (told) => [
      ['operation:cancelled', { operation: told, stage: operation.stage, durationMillis: durationOf(told) }],
    ],
  };
}
