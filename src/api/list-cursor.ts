import type { ListPosition } from '../db/list-position.ts';

/** Which list a cursor belongs to; it is refused in another one. */
export type ListName = 'runtimes' | 'operations' | 'orphans';

/** 16 digits at most: beyond, there is no such moment. */
const pattern =
  /^(runtimes|operations|orphans) (\d{1,16}) ([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/;

/** Opaque to callers: what is in it is ours to change. It tells where a row stands, not whether its reader may see it. */
export function printCursor(list: ListName, { micros, id }: ListPosition): string {
  return Buffer.from(`${list} ${micros} ${id}`).toString('base64url');
}

/** Undefined for what `printCursor` has not made for that list. */
export function parseCursor(list: ListName, cursor: string): ListPosition | undefined {
  const [, of, micros, id] = pattern.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (of !== list || micros === undefined || id === undefined) return undefined;
  const position = { micros: BigInt(micros), id };
  return printCursor(list, position) === cursor ? position : undefined;
}
