import type { History } from '../history.ts';

/** What was done to the service passes. Only what its caller cancelled, or what the cloud was to refuse, may fail. */
export function failsForAReason({ accepted, operations }: History): readonly string[] {
  const mayFail = new Set(accepted.filter((order) => order.mayFail).map(({ operationId }) => operationId));
  return operations
    .filter(({ id, state, cancelled }) => state === 'Failed' && !cancelled && !mayFail.has(id))
    .map(({ id, kind, stage, message }) => `${kind} ${id} failed in ${stage}: ${message}`);
}
