import { createHash } from 'node:crypto';

/**
 * Tells requests apart by what they ask for: the document, its operation, the variables (in whatever order their fields
 * were written) and the sub-account.
 */
export function requestHash(request: {
  readonly query: string;
  readonly operationName: unknown;
  readonly variables: unknown;
  readonly subAccount: unknown;
}): string {
  const { query, operationName, variables, subAccount } = request;
  const text = JSON.stringify([query, operationName ?? null, variables ?? {}, subAccount ?? null], sorted);
  return createHash('sha256').update(text).digest('base64url');
}

function sorted(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
