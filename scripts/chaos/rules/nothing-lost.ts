import type { History } from '../history.ts';

/** What a caller was told is accepted is there, and is no longer in progress when there was time enough to end it. */
export function nothingLost({ accepted, operations }: History): readonly string[] {
  const stored = new Map(operations.map((operation) => [operation.id, operation]));
  const missing = accepted
    .filter(({ operationId }) => !stored.has(operationId))
    .map(({ key, kind, operationId }) => `${kind} ${operationId} was accepted (${key}) and is not stored`);
  const unfinished = operations
    .filter(({ state }) => state === 'InProgress')
    .map(({ id, kind, stage, message }) => `${kind} ${id} is still in progress in ${stage}: ${message}`);
  return [...missing, ...unfinished];
}
