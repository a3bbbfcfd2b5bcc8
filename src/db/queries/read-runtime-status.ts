import type { RuntimeId, Tenant } from '../../domain/ids.ts';
import type { Operation } from '../../domain/operation.ts';
import type { Database } from '../database.ts';
import { GatheredReads } from '../gathered-reads.ts';
import { type OperationRow, operationColumns, operationFromRow } from '../operation-row.ts';
import {
  type SealedRuntime,
  type SealedRuntimeRow,
  sealedRuntimeColumns,
  sealedRuntimeFromRow,
} from '../runtime-row.ts';
import { statement } from '../statement.ts';

type Row = SealedRuntimeRow & OperationRow & { readonly place: string };

/** `place` counts from 1 which pair of the two arrays a row is for. */
const runtimesWithNewestOperation = statement<Row>(
  'read-runtime-status',
  `SELECT asked.place, ${operationColumns('newest')}, ${sealedRuntimeColumns}
  FROM unnest($1::uuid[], $2::text[]) WITH ORDINALITY asked (id, tenant, place)
  JOIN runtime ON runtime.id = asked.id AND runtime.tenant = asked.tenant
  JOIN LATERAL (
    SELECT * FROM operation WHERE operation.runtime_id = runtime.id ORDER BY operation.sequence DESC LIMIT 1
  ) newest ON true`,
);

export interface RuntimeStatusKey {
  readonly runtimeId: RuntimeId;
  readonly tenant: Tenant;
}

export interface StoredRuntimeStatus {
  readonly runtime: SealedRuntime;
  readonly lastOperation: Operation;
}

/**
 * Reads what the status of a Runtime shows: the Runtime, without what only an installer needs and with what is
 * confidential still sealed, and its newest operation. Undefined for no Runtime, or one of another tenant. A Runtime
 * that was deprovisioned is still found, with `deletedAt`.
 */
export function runtimeStatusReads(database: Database): GatheredReads<RuntimeStatusKey, StoredRuntimeStatus> {
  return new GatheredReads({
    read: async (keys) => {
      const ids = keys.map(({ runtimeId }) => runtimeId);
      const tenants = keys.map(({ tenant }) => tenant);
      const rows = await database.run(runtimesWithNewestOperation, [ids, tenants]);
      const found = Array.from<StoredRuntimeStatus | undefined>({ length: keys.length });
      for (const row of rows) {
        found[Number(row.place) - 1] = { runtime: sealedRuntimeFromRow(row), lastOperation: operationFromRow(row) };
      }
      return found;
    },
  });
}
