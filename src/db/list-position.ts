/** A place in a list that is sorted by time and then by id, both descending. */
export interface ListPosition {
  /** Microseconds since 1970: PostgreSQL tells apart what JavaScript's Date does not. */
  readonly micros: bigint;
  readonly id: string;
}

/** What bounds a list: rows behind `behind` (all of them unless told), from `since` on and before `before`. */
export interface ListBounds {
  readonly behind: ListPosition | undefined;
  readonly since: Date | undefined;
  readonly before: Date | undefined;
}

/** The parameters $2 (time) and $3 (id) that a row is to be smaller than, and $4 (time) that it is not to be. */
export function boundValues({ behind, since, before }: ListBounds): readonly [string, string, string] {
  const end = before && { micros: microsOf(before), id: '00000000-0000-0000-0000-000000000000' };
  const { micros, id } = earlier(behind ?? endOfTime, end ?? endOfTime);
  return [String(micros), id, String(since ? microsOf(since) : 0n)];
}

/** A condition on $2, $3 and $4 that an index on the columns `time` and `id` answers in one range. */
export function withinBounds(time: string, id: string): string {
  return `(${time}, ${id}) < (${momentOf('$2')}, $3::uuid) AND ${time} >= ${momentOf('$4')}`;
}

/** The expression for the microseconds of a ListPosition; the driver answers it as text. */
export function microsColumn(time: string): string {
  return `(extract(epoch FROM ${time}) * 1000000)::bigint`;
}

/** The most that one statement answers. It is written into the statement, so that its plan is one for a short list. */
const mostRows = 1_001;

/** `LIMIT` of a list whose statement takes the number of rows asked for as $5 further out. */
export const shortList = `LIMIT ${mostRows}`;

/** The parameter $5. Throws for more than `mostRows`: the rest would be missing without a trace. */
export function limitValue(limit: number): number {
  if (limit <= mostRows) return limit;
  throw new RangeError(`a list answers at most ${mostRows} rows, not ${limit}`);
}

const endOfTime: ListPosition = { micros: 9_999_999_999_999_999n, id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };

function momentOf(parameter: string): string {
  return `'epoch'::timestamptz + ${parameter}::bigint * interval '1 microsecond'`;
}

function earlier(a: ListPosition, b: ListPosition): ListPosition {
  if (a.micros !== b.micros) return a.micros < b.micros ? a : b;
  return a.id < b.id ? a : b;
}

function microsOf(time: Date): bigint {
  return BigInt(time.getTime()) * 1000n;
}
