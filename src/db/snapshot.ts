/**
 * Which transactions had been committed at a moment, as PostgreSQL's pg_snapshot tells it: all below `floor`, none from
 * `ceiling` on, and in between those that were not in progress. Of two snapshots of one server the later one shows all
 * that the earlier one shows.
 */
export interface Snapshot {
  /** As PostgreSQL writes it: `floor:ceiling:`, then those in progress. */
  readonly text: string;
  readonly floor: bigint;
  readonly ceiling: bigint;
  readonly inProgress: ReadonlySet<bigint>;
}

const pattern = /^([1-9]\d{0,17}):([1-9]\d{0,17}):((?:[1-9]\d{0,17}(?:,[1-9]\d{0,17})*)?)$/;

/** Undefined unless PostgreSQL would read it. */
export function parseSnapshot(text: string): Snapshot | undefined {
  const [, low, high, list] = pattern.exec(text) ?? [];
  if (low === undefined || high === undefined || list === undefined) return undefined;
  const [floor, ceiling] = [BigInt(low), BigInt(high)];
  const inProgress = list === '' ? [] : list.split(',').map(BigInt);
  const ordered = inProgress.every(
    (each, index) => each >= (index === 0 ? floor : (inProgress[index - 1] ?? each) + 1n),
  );
  if (floor > ceiling || !ordered || (inProgress.at(-1) ?? 0n) >= ceiling) return undefined;
  return { text, floor, ceiling, inProgress: new Set(inProgress) };
}

/** Whether what the transaction has committed is shown. */
export function shows(snapshot: Snapshot, transaction: bigint): boolean {
  if (transaction < snapshot.floor) return true;
  return transaction < snapshot.ceiling && !snapshot.inProgress.has(transaction);
}

/** The one that shows more. */
export function laterOf(a: Snapshot, b: Snapshot): Snapshot {
  if (a.ceiling !== b.ceiling) return a.ceiling > b.ceiling ? a : b;
  return a.inProgress.size < b.inProgress.size ? a : b;
}
