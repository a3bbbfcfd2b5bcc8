import type { AgentConnection, ConnectionLook } from '../../agent/runtime-agent.ts';
import { assertNever } from '../../domain/assert-never.ts';
import { Failure } from '../../domain/failures.ts';
import { done, fail, type Outcome, observing, type Pace, wait } from '../../domain/outcome.ts';
import { beginAttempt, ensureToken } from '../reconnection/give-token.ts';
import { judgeReconnection, mayBeStale, type Verdict } from '../reconnection/judge-reconnection.ts';
import { noteReconnection, type Reconnection, takenReconnection } from '../reconnection/progress.ts';
import { triggerReconnection } from '../reconnection/trigger.ts';
import type { StageRun } from '../tools.ts';
import { agentTarget } from './agent-target.ts';

/** Tokens that the agent gets: it may burn one, and lose what it got for it. */
const mostAttempts = 3;
/** How long the applying of applications may fail before it is only warned of, in milliseconds. */
const applyGrace = 60_000;
/** After a token that did not work. */
const backOff: Pace = { from: 500, upTo: 15_000 };

/** Waits for the proof of a new connection. A token that does not work is replaced by another one, twice at most. */
export async function waitForAgentToReconnect(run: StageRun): Promise<Outcome> {
  const reconnection = takenReconnection(run);
  const look = await run.agent.look(await agentTarget(run));
  const verdict = judgeReconnection(reconnection.before, look);
  switch (verdict.kind) {
    case 'new':
      return judgeNewConnection(run, reconnection, verdict.connection);
    case 'failed':
      return judgeFailedExchange(run, reconnection, look, verdict);
    case 'lost':
      // A connection costs one token, however many tries it takes to end it.
      return verdict.uid === reconnection.attempt?.uid
        ? connectAnew(run, reconnection, verdict)
        : tryAgain(run, reconnection, look, verdict);
    case 'unchanged':
    case 'none':
      return connectAnew(run, reconnection, verdict);
    case 'unproven':
      return wait({
        message: 'Runtime Agent says that it is connected, with its old certificate',
        lookAgain: observing,
      });
    default:
      return assertNever(verdict);
  }
}

/** Nothing but what has been done already, unless it did not get through, or somebody undid it. */
async function connectAnew(run: StageRun, reconnection: Reconnection, verdict: Verdict): Promise<Outcome> {
  await triggerReconnection(run, await ensureToken(run, reconnection), verdict);
  return wait({ message: await told(run, 'Runtime Agent is connecting anew'), lookAgain: observing });
}

async function judgeNewConnection(
  run: StageRun,
  reconnection: Reconnection,
  { state, synchronizationError }: AgentConnection,
): Promise<Outcome> {
  const { runtime, director, agent, clock, signal } = run;
  if (state === 'Connected') {
    // The agent's own pause may be three minutes.
    if (!reconnection.hurried) {
      await noteReconnection(run, { ...reconnection, hurried: true });
      await agent.hurry(await agentTarget(run), true);
    }
    return wait({ message: 'Runtime Agent is connected anew, not synchronised yet', lookAgain: observing });
  }
  // Without its pause it would try again and again what just failed.
  if (state !== 'Synchronized' && reconnection.hurried) await agent.hurry(await agentTarget(run), false);
  const words = synchronizationError === undefined ? '' : `: ${synchronizationError}`;
  const warning = `Runtime Agent is connected anew, but its last synchronisation failed (${state})${words}`;
  switch (state) {
    case 'Synchronized':
    case 'SynchronizationFailed':
    case 'MetadataUpdateFailed':
      break;
    case 'ResourceApplicationFailed': {
      const since = reconnection.notAppliedSince ?? clock.now();
      if (clock.now() - since >= applyGrace) break;
      if (reconnection.notAppliedSince === undefined) {
        await noteReconnection(run, { ...reconnection, notAppliedSince: since });
      }
      return wait({ message: warning, lookAgain: observing });
    }
    default:
      return wait({ message: `Runtime Agent is connected anew, and reports ${state}`, lookAgain: observing });
  }
  await director.setCondition(runtime.id, 'CONNECTED', { tenant: runtime.tenant, signal });
  return done({ message: state === 'Synchronized' ? 'Runtime Agent is connected anew' : warning });
}

async function judgeFailedExchange(
  run: StageRun,
  given: Reconnection,
  look: ConnectionLook,
  verdict: Extract<Verdict, { kind: 'failed' }>,
): Promise<Outcome> {
  const { attempt } = given;
  const staleness = attempt ? mayBeStale(look, attempt) : 'of before';
  if (staleness === 'no') return tryAgain(run, given, look, verdict);
  const begun = await ensureToken(run, given);
  const reconnection =
    staleness === 'maybe' && begun.attempt?.firstFailure === undefined
      ? await noteReconnection(run, { ...begun, attempt: { ...attemptOf(begun), firstFailure: verdict.at } })
      : begun;
  await triggerReconnection(run, reconnection, verdict);
  const message = `Runtime Agent is to try again with its new token; before: ${verdict.error}`;
  return wait({ message: await told(run, message), lookAgain: observing });
}

/** With another token, as long as the agent has not got its share of them. */
async function tryAgain(
  run: StageRun,
  reconnection: Reconnection,
  look: ConnectionLook,
  verdict: Extract<Verdict, { kind: 'failed' | 'lost' }>,
): Promise<Outcome> {
  const number = (reconnection.attempt?.number ?? 0) + 1;
  if (number > mostAttempts) {
    const message = `the Runtime Agent did not connect with any of ${mostAttempts} new tokens; it says: ${verdict.error}`;
    return fail(new Failure('AGENT_CONNECTION_FAILED', message));
  }
  const begun = await ensureToken(run, await beginAttempt(run, reconnection, number, look));
  await triggerReconnection(run, begun, verdict);
  const message = `Runtime Agent gets its token number ${number} of ${mostAttempts}; the one before failed: ${verdict.error}`;
  return wait({ message, lookAgain: backOff });
}

/** With what keeps the agent from acting, when it tells. */
async function told(run: StageRun, message: string): Promise<string> {
  const trouble = await run.agent.trouble(await agentTarget(run));
  return trouble === undefined ? message : `${message}; ${trouble}`;
}

function attemptOf({ attempt }: Reconnection) {
  if (attempt === undefined) throw new Error('no attempt has begun');
  return attempt;
}
