import type { OperationId, Tenant } from '../../domain/ids.ts';
import type { Database } from '../database.ts';
import { statement } from '../statement.ts';

/** For which part of which request an operation is accepted. There is never a second operation for the same one. */
export interface IdempotentRequest {
  readonly tenant: Tenant;
  /** As the caller chose it. */
  readonly key: string;
  /** The name of the mutation in the answer. */
  readonly field: string;
  readonly requestHash: string;
}

/**
 * The part of an accepting statement that makes the acceptance known, from a WITH query named `operation`. Its values
 * follow those of the statement, which have the numbers before `first`.
 */
export function noteAcceptance({ first }: { first: number }): string {
  const [tenant, key, field, hash] = [first, first + 1, first + 2, first + 3].map((number) => `$${number}::text`);
  return `acceptance AS (
    INSERT INTO idempotent_acceptance (tenant, key, field, request_hash, operation_id)
    SELECT ${tenant}, ${key}, ${field}, ${hash}, operation.id FROM operation WHERE ${key} IS NOT NULL
  )`;
}

/** Nulls for a request without a key. */
export function acceptanceValues(request: IdempotentRequest | undefined): readonly (string | null)[] {
  if (request === undefined) return [null, null, null, null];
  return [request.tenant, request.key, request.field, request.requestHash];
}

const byRequest = statement<{ request_hash: string; operation_id: string }>(
  'idempotent-acceptance',
  'SELECT request_hash, operation_id FROM idempotent_acceptance WHERE tenant = $1 AND key = $2 AND field = $3',
);

export interface IdempotentAcceptance {
  readonly requestHash: string;
  readonly operationId: OperationId;
}

/** What was accepted under the key for this field, whatever was asked; undefined when nothing was. */
export async function findAcceptance(options: {
  readonly database: Database;
  readonly request: Pick<IdempotentRequest, 'tenant' | 'key' | 'field'>;
}): Promise<IdempotentAcceptance | undefined> {
  const { database, request } = options;
  const [row] = await database.run(byRequest, [request.tenant, request.key, request.field]);
  return row && { requestHash: row.request_hash, operationId: row.operation_id as OperationId };
}
