import { isDeepStrictEqual } from 'node:util';
import { isObject, type JsonObject } from '../json-value.ts';
import { plainCopy } from '../object-json.ts';
import { badRequest, StatusError } from '../status-error.ts';

/** JSON patch (RFC 6902). A patch that does not fit the object is a 422, one that is no patch a 400. */
export function applyJsonPatch(target: unknown, patch: unknown): unknown {
  if (!Array.isArray(patch)) throw badRequest('error decoding patch: a JSON patch is a list of operations');
  const document = { root: plainCopy(target) };
  for (const operation of patch) applyOperation(document, operation);
  return document.root;
}

function applyOperation(document: { root: unknown }, operation: unknown): void {
  if (!isObject(operation) || typeof operation.path !== 'string') {
    throw badRequest('error decoding patch: an operation needs op and path');
  }
  const path = parsePointer(operation.path);
  switch (operation.op) {
    case 'add':
      put(document, path, plainCopy(operation.value), 'add');
      return;
    case 'replace':
      put(document, path, plainCopy(operation.value), 'replace');
      return;
    case 'remove':
      take(document, path);
      return;
    case 'move':
      put(document, path, take(document, parsePointer(String(operation.from))), 'add');
      return;
    case 'copy':
      put(document, path, plainCopy(read(document, parsePointer(String(operation.from)))), 'add');
      return;
    case 'test':
      if (!isDeepStrictEqual(readOrUndefined(document, path), operation.value)) {
        throw unfit(`testing value ${operation.path} failed: test failed`);
      }
      return;
    default:
      throw badRequest(`error decoding patch: unexpected kind: ${String(operation.op)}`);
  }
}

function parsePointer(pointer: string): readonly string[] {
  if (pointer === '') return [];
  if (!pointer.startsWith('/')) throw badRequest(`error decoding patch: "${pointer}" is not a JSON pointer`);
  const parts = pointer.slice(1).split('/');
  return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function parentOf(
  document: { root: unknown },
  path: readonly string[],
): { parent: JsonObject | unknown[]; key: string } {
  const parent = path.length === 1 ? document.root : read(document, path.slice(0, -1));
  const key = path.at(-1) ?? '';
  if (Array.isArray(parent) || isObject(parent)) return { parent, key };
  throw unfit(`${pointerText(path)}: missing value`);
}

function put(document: { root: unknown }, path: readonly string[], value: unknown, mode: 'add' | 'replace'): void {
  if (path.length === 0) {
    document.root = value;
    return;
  }
  const { parent, key } = parentOf(document, path);
  if (!Array.isArray(parent)) {
    if (mode === 'replace' && !Object.hasOwn(parent, key))
      throw unfit(`replace operation does not apply: ${missing(path)}`);
    parent[key] = value;
    return;
  }
  if (mode === 'replace') parent[indexIn(parent, key, parent.length - 1, path)] = value;
  else parent.splice(key === '-' ? parent.length : indexIn(parent, key, parent.length, path), 0, value);
}

function take(document: { root: unknown }, path: readonly string[]): unknown {
  const { parent, key } = parentOf(document, path);
  if (Array.isArray(parent)) return parent.splice(indexIn(parent, key, parent.length - 1, path), 1)[0];
  if (!Object.hasOwn(parent, key)) throw unfit(`remove operation does not apply: ${missing(path)}`);
  const value = parent[key];
  delete parent[key];
  return value;
}

function read(document: { root: unknown }, path: readonly string[]): unknown {
  const value = readOrUndefined(document, path);
  if (value === undefined) throw unfit(missing(path));
  return value;
}

function readOrUndefined(document: { root: unknown }, path: readonly string[]): unknown {
  let value = document.root;
  for (const part of path) {
    if (Array.isArray(value)) value = value[Number(part)];
    else if (isObject(value) && Object.hasOwn(value, part)) value = value[part];
    else return undefined;
  }
  return value;
}

function indexIn(list: readonly unknown[], key: string, last: number, path: readonly string[]): number {
  const index = Number(key);
  if (!Number.isInteger(index) || index < 0 || index > last) {
    throw unfit(`${pointerText(path)}: index ${key} is out of bounds for a list of ${list.length}`);
  }
  return index;
}

function missing(path: readonly string[]): string {
  return `doc is missing path: ${pointerText(path)}: missing value`;
}

function pointerText(path: readonly string[]): string {
  return `/${path.join('/')}`;
}

function unfit(message: string): StatusError {
  return new StatusError({
    code: 422,
    reason: 'Invalid',
    message: `the server rejected our request due to an error in our request: ${message}`,
  });
}
