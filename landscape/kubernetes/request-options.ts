import type { IncomingMessage } from 'node:http';
import { isObject } from './json-value.ts';
import type { DeleteRequest, WriteOptions } from './object-writer.ts';
import type { RequestInfo } from './request-info.ts';
import type { ResourceType, User } from './resource-type.ts';
import { fieldSelector, labelSelector, type Matches } from './selectors.ts';
import { badRequest } from './status-error.ts';
import type { IncludeObject } from './table.ts';

/** What a request's query and headers say about the write. `warn` takes the warnings for the answer's header. */
export function writeOptions(
  request: IncomingMessage,
  { query }: RequestInfo,
  user: User,
  warn: (message: string) => void,
): WriteOptions {
  const dryRun = query.get('dryRun') ?? '';
  if (dryRun !== '' && dryRun !== 'All') {
    throw badRequest(`invalid dryRun: Unsupported value: "${dryRun}": supported values: "All"`);
  }
  const validation = query.get('fieldValidation') ?? '';
  if (!['', 'Strict', 'Warn', 'Ignore'].includes(validation)) {
    throw badRequest(`invalid fieldValidation: "${validation}": supported values: "Ignore", "Warn", "Strict"`);
  }
  const agent = request.headers['user-agent']?.split('/')[0]?.trim();
  return {
    user,
    dryRun: dryRun === 'All',
    fieldValidation: validation === 'Strict' || validation === 'Ignore' ? validation : 'Warn',
    fieldManager: query.get('fieldManager') ?? (agent === undefined || agent === '' ? 'unknown' : agent),
    warn,
  };
}

/** The objects that the request's label and field selectors want. */
export function selection(type: ResourceType, query: URLSearchParams): Matches {
  const byLabels = labelSelector(query.get('labelSelector') ?? '');
  const byFields = fieldSelector(query.get('fieldSelector') ?? '', type);
  return (object) => byLabels(object) && byFields(object);
}

export function includeObject(query: URLSearchParams): IncludeObject {
  const value = query.get('includeObject');
  return value === 'None' || value === 'Object' ? value : 'Metadata';
}

/** A positive whole number; undefined for anything else. */
export function positive(value: string | null): number | undefined {
  const number = Number(value);
  return Number.isInteger(number) && number > 0 ? number : undefined;
}

/** DeleteOptions, from the body of a DELETE or its query. */
export function deleteRequest(body: unknown, query: URLSearchParams): DeleteRequest & { readonly dryRun: boolean } {
  const options = isObject(body) ? body : {};
  const preconditions = isObject(options.preconditions) ? options.preconditions : {};
  const { uid, resourceVersion } = preconditions;
  const policy = options.propagationPolicy ?? query.get('propagationPolicy') ?? undefined;
  return {
    preconditions: {
      ...(typeof uid === 'string' ? { uid } : {}),
      ...(typeof resourceVersion === 'string' ? { resourceVersion } : {}),
    },
    propagationPolicy: typeof policy === 'string' ? policy : undefined,
    dryRun: Array.isArray(options.dryRun) && options.dryRun.includes('All'),
  };
}
