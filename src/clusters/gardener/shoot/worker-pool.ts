import { readRecords } from '../../../domain/json.ts';

/** The name of the one pool of nodes that an order makes. */
export const workerPoolName = 'cpu-worker-0';

/** Where our pool of nodes stands among the Shoot's; -1 when somebody has taken it away. */
export function poolIndex(shoot: object): number {
  return readRecords(shoot, 'spec', 'provider', 'workers').findIndex(({ name }) => name === workerPoolName);
}

/** Our pool of nodes itself, no copy; undefined when somebody has taken it away. */
export function workerPool(shoot: object): Record<string, unknown> | undefined {
  return readRecords(shoot, 'spec', 'provider', 'workers')[poolIndex(shoot)];
}
