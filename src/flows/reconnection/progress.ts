import { readPath, readText } from '../../domain/json.ts';
import type { Notes } from '../../domain/operation.ts';
import type { StageRun } from '../tools.ts';

/** By what a connection is told from a later one. */
export interface ConnectionSnapshot {
  /** Of the CompassConnection; undefined: there was none. */
  readonly uid: string | undefined;
  readonly established: string | undefined;
  /** A digest. */
  readonly certificate: string | undefined;
}

/** One token that the agent is given. */
export interface Attempt {
  readonly number: number;
  /** Read before the token was written: a failure that was there by then is not this token's. */
  readonly uid: string | undefined;
  readonly lastSync: string | undefined;
  /** The first failure after that, which may still be an exchange that had begun before. */
  readonly firstFailure?: string | undefined;
}

/** What a reconnection has noted down. Holds no secret. */
export interface Reconnection {
  /** Taken once, before anything is touched, and never again: also a retry compares with it. */
  readonly before: ConnectionSnapshot;
  readonly attempt?: Attempt | undefined;
  /** The agent was asked to synchronise without its usual pause. */
  readonly hurried?: boolean | undefined;
  /** Since when only the applying of applications fails, in milliseconds since the epoch. */
  readonly notAppliedSince?: number | undefined;
}

const key = 'reconnection';

/** Undefined before the snapshot is taken. */
export function readReconnection(notes: Notes): Reconnection | undefined {
  const noted = notes[key];
  if (readPath(noted, 'before') === undefined) return undefined;
  const attempt = readPath(noted, 'attempt');
  const number = Number(readPath(attempt, 'number') ?? Number.NaN);
  const since = readPath(noted, 'notAppliedSince');
  return {
    before: {
      uid: readText(noted, 'before', 'uid'),
      established: readText(noted, 'before', 'established'),
      certificate: readText(noted, 'before', 'certificate'),
    },
    attempt: Number.isInteger(number)
      ? {
          number,
          uid: readText(attempt, 'uid'),
          lastSync: readText(attempt, 'lastSync'),
          firstFailure: readText(attempt, 'firstFailure'),
        }
      : undefined,
    hurried: readPath(noted, 'hurried') === true,
    notAppliedSince: typeof since === 'number' ? since : undefined,
  };
}

/** Answers what was stored, for the rest of the look. */
export async function noteReconnection(
  { note }: Pick<StageRun, 'note'>,
  reconnection: Reconnection,
): Promise<Reconnection> {
  await note({ [key]: reconnection });
  return reconnection;
}

/** For stages that come after the snapshot. */
export function takenReconnection({ operation }: Pick<StageRun, 'operation'>): Reconnection {
  const found = readReconnection(operation.notes);
  if (found === undefined) throw new Error(`operation ${operation.id} has no snapshot of the connection before it`);
  return found;
}
