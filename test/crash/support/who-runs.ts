import assert from 'node:assert/strict';
import { eventually } from '../../harness/eventually.ts';
import type { Deployment, Replica } from './deployment.ts';

/** Of two replicas, the one that runs the operation now, and the other one. */
export async function whoRuns(
  operationId: string,
  deployment: Deployment,
  [one, another]: readonly [Replica, Replica],
): Promise<{ readonly runner: Replica; readonly other: Replica }> {
  const pid = await eventually('a replica to run the operation', () => deployment.runnerOf(operationId));
  if (pid === one.process.pid) return { runner: one, other: another };
  assert.equal(pid, another.process.pid);
  return { runner: another, other: one };
}
