import type { Place } from '../../db/queries/follow-updates.ts';
import { parseSnapshot, type Snapshot } from '../../db/snapshot.ts';
import { Failure } from '../../domain/failures.ts';
import { type OperationId, uuidPattern } from '../../domain/ids.ts';

/**
 * How far a subscriber has come in the updates of many operations. Numbers would not do: whatever is counted up becomes
 * visible out of order, because the transaction that took the lower number may be committed later. So a cursor says what
 * was committed: the subscriber has had all that `from` shows, and, when it stopped in the middle of a read, what
 * `rest.until` shows up to `rest.place`. Whoever was late to commit is in neither, and is delivered.
 */
export interface Cursor {
  readonly from: Snapshot;
  readonly rest: { readonly until: Snapshot; readonly place: Place } | undefined;
}

const version = 'u1';

/** Opaque to callers. */
export function writeCursor({ from, rest }: Cursor): string {
  const place = rest && [rest.until.text, String(rest.place.position), rest.place.operationId, rest.place.sequence];
  return Buffer.from([version, from.text, ...(place ?? [])].join(' ')).toString('base64url');
}

/** Throws INVALID_INPUT that names `after` for a text that `writeCursor` has not written. */
export function readCursor(text: string): Cursor {
  const [given, from, until, position, operationId, sequence, ...more] = Buffer.from(text, 'base64url')
    .toString('latin1')
    .split(' ');
  const start = parseSnapshot(from ?? '');
  if (given !== version || start === undefined || more.length > 0) throw notOurs();
  if (until === undefined) return { from: start, rest: undefined };
  const end = parseSnapshot(until);
  const numbers = /^\d{1,18}$/.test(position ?? '') && /^[1-9]\d{0,8}$/.test(sequence ?? '');
  if (end === undefined || !numbers || !uuidPattern.test(operationId ?? '')) throw notOurs();
  const place = {
    position: BigInt(position ?? 0),
    operationId: operationId as OperationId,
    sequence: Number(sequence),
  };
  return { from: start, rest: { until: end, place } };
}

export function notOurs(): Failure {
  const message = 'after: not a cursor of this service; subscribe without one, and list what there is now';
  return new Failure('INVALID_INPUT', message, { path: 'after' });
}
