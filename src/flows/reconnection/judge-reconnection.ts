import type { AgentConnection, ConnectionLook } from '../../agent/runtime-agent.ts';
import type { Attempt, ConnectionSnapshot } from './progress.ts';

/** What became of a connection since the snapshot. */
export type Verdict =
  /** As in the snapshot: nobody has ended it yet. */
  | { readonly kind: 'unchanged'; readonly uid: string }
  /** There is none, or none that says anything yet. */
  | { readonly kind: 'none' }
  /** Made with a new token and a new certificate. */
  | { readonly kind: 'new'; readonly connection: AgentConnection }
  /** Looks new, but for its certificate. */
  | { readonly kind: 'unproven' }
  /** The exchange of a token failed. */
  | { readonly kind: 'failed'; readonly error: string; readonly at: string }
  /** The trust in it was lost; the agent never falls back to its token. */
  | { readonly kind: 'lost'; readonly uid: string; readonly error: string };

/** Only values that the cluster has stored are compared, never a clock of ours with one of theirs. */
export function judgeReconnection(before: ConnectionSnapshot, { connection, certificate }: ConnectionLook): Verdict {
  if (connection === undefined || connection.deleting || connection.state === undefined) return { kind: 'none' };
  const { uid, state, error = `connection state is ${connection.state}` } = connection;
  if (state === 'ConnectionFailed') return { kind: 'failed', error, at: connection.lastSync ?? '' };
  if (uid === before.uid && !isLater(connection.established, before.established)) return { kind: 'unchanged', uid };
  if (state === 'ConnectionMaintenanceFailed') return { kind: 'lost', uid, error };
  return certificate !== undefined && certificate !== before.certificate
    ? { kind: 'new', connection }
    : { kind: 'unproven' };
}

/** Whether a failed exchange may have been one with the token before: the agent may have been at it already. */
export function mayBeStale(look: ConnectionLook, attempt: Attempt): 'of before' | 'maybe' | 'no' {
  const { uid, lastSync } = look.connection ?? {};
  // It was made after the token was written, with what the agent read then.
  if (uid !== attempt.uid) return 'no';
  if (!isLater(lastSync, attempt.lastSync)) return 'of before';
  return attempt.firstFailure === undefined || attempt.firstFailure === lastSync ? 'maybe' : 'no';
}

/** Undefined is earlier than any moment. */
function isLater(moment: string | undefined, than: string | undefined): boolean {
  if (moment === undefined) return false;
  return than === undefined || Date.parse(moment) > Date.parse(than);
}
