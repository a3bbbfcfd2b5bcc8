import type { ListPosition } from '../db/list-position.ts';
import type { Problem } from '../domain/failures.ts';
import type { PageInfo } from './generated/schema.ts';
import { type ListName, parseCursor, printCursor } from './list-cursor.ts';

export interface PageRequest<Filter> {
  readonly filter?: Filter | null | undefined;
  readonly first: number;
  readonly after?: string | null | undefined;
}

export function checkPageSize(first: number, largestPage: number): readonly Problem[] {
  if (first >= 1 && first <= largestPage) return [];
  return [{ path: 'first', message: `must be between 1 and ${largestPage}, and is ${first}` }];
}

/** Reads `after`; no position for the first page. */
export function readAfter(
  list: ListName,
  after: string | undefined | null,
): { position: ListPosition | undefined; problems: readonly Problem[] } {
  const position = after == null ? undefined : parseCursor(list, after);
  if (position || after == null) return { position, problems: [] };
  const message = `is not an endCursor of ${list}: give one from an earlier answer as it was, or none for the first page`;
  return { position, problems: [{ path: 'after', message }] };
}

/** Makes a page of rows that were asked for with one more than `first`: if there is one more, a page follows. */
export function toPage<Row extends { readonly position: ListPosition }>(
  list: ListName,
  rows: readonly Row[],
  first: number,
): { nodes: readonly Row[]; pageInfo: PageInfo } {
  const nodes = rows.slice(0, first);
  const last = nodes.at(-1);
  return { nodes, pageInfo: { endCursor: last && printCursor(list, last.position), hasNextPage: rows.length > first } };
}
