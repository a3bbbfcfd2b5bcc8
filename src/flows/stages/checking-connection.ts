import { done, type Outcome } from '../../domain/outcome.ts';
import { noteReconnection, readReconnection } from '../reconnection/progress.ts';
import { whyNotReconnectable } from '../reconnection/why-not-reconnectable.ts';
import type { StageRun } from '../tools.ts';
import { agentTarget } from './agent-target.ts';

/** Writes down by what the connection of now is told from the one that is to come. Touches nothing. */
export async function checkingConnection(run: StageRun): Promise<Outcome> {
  const refusal = await whyNotReconnectable(run);
  if (refusal !== undefined) throw refusal;
  if (readReconnection(run.operation.notes) === undefined) {
    const { connection, certificate } = await run.agent.look(await agentTarget(run));
    const before = { uid: connection?.uid, established: connection?.established, certificate };
    await noteReconnection(run, { before });
  }
  return done();
}
