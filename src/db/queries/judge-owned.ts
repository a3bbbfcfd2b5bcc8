import type { Tenant } from '../../domain/ids.ts';
import type { OrphanReason, OrphanSource } from '../../domain/orphan.ts';
import type { OwnedObject } from '../../domain/owned-objects.ts';
import type { Runtime } from '../../domain/runtime.ts';
import type { Database } from '../database.ts';
import { statement } from '../statement.ts';

export interface JudgedOrphan {
  readonly uid: string;
  readonly reason: OrphanReason;
  /** Of its Runtime, while that is known. */
  readonly tenant: Tenant | undefined;
  /** It is listed already. */
  readonly listed: boolean;
}

/**
 * What is seen is no orphan while a Runtime has it, while an operation on its Runtime is in progress, while a creation
 * may still take effect, and while an intent stands for it. What bears the mark of another installation is never one;
 * what bears none, from before there were marks, is one only when it is the very cluster of a Runtime that is gone.
 */
const judge = statement<{ uid: string; reason: OrphanReason; tenant: Tenant | null; listed: boolean }>(
  'judge-owned',
  `WITH judged AS (
    SELECT seen.uid, runtime.tenant, CASE
      WHEN runtime.id IS NULL THEN CASE WHEN seen.ours THEN 'RuntimeUnknown' END
      WHEN runtime.deleted_at IS NOT NULL THEN CASE
        WHEN creation_settles_at > now()
          OR EXISTS (SELECT FROM operation WHERE runtime_id = runtime.id AND state = 'InProgress') THEN NULL
        WHEN $1 = 'director' THEN CASE WHEN runtime.registration = ANY ($3) THEN 'RuntimeDeprovisioned' END
        WHEN seen.ours OR (driver, cluster_name, cluster_place) = ($1, seen.name, seen.place)
          THEN 'RuntimeDeprovisioned'
        END
      WHEN $1 <> 'director' AND seen.ours AND (driver, cluster_name, cluster_place) <> ($1, seen.name, seen.place)
        THEN 'NotTheCluster'
      END AS reason
    FROM jsonb_to_recordset($2::jsonb)
      AS seen (uid text, name text, place text, runtime uuid, ours boolean, intent text)
    LEFT JOIN runtime ON runtime.id = seen.runtime
    WHERE seen.intent IS NULL
      OR NOT EXISTS (SELECT FROM registration_intent WHERE registration_intent.id::text = seen.intent)
  )
  SELECT uid, reason, tenant,
    EXISTS (SELECT FROM orphan WHERE source = $1 AND orphan.uid = judged.uid AND gone_at IS NULL) AS listed
  FROM judged WHERE reason IS NOT NULL`,
);

/**
 * The orphans among what was seen outside. A Runtime is stored before anything is made for it, and its deletion after
 * all of it is gone: so what was seen before it is judged, and still is there afterwards, is judged rightly.
 */
export async function judgeOwned(options: {
  readonly database: Database;
  readonly source: OrphanSource;
  readonly installation: string;
  readonly objects: readonly OwnedObject[];
  /** Whose entries in the Director are removed with their Runtime. */
  readonly unregistered: readonly Runtime['registration'][];
}): Promise<readonly JudgedOrphan[]> {
  const { database, source, installation, objects, unregistered } = options;
  const seen = objects
    .filter((object) => object.installation === undefined || object.installation === installation)
    .map(({ uid, name, place, runtimeId: runtime, intent, installation: mark }) => {
      return { uid, name, place, runtime, ours: mark !== undefined, intent };
    });
  if (seen.length === 0) return [];
  const rows = await database.run(judge, [source, JSON.stringify(seen), unregistered]);
  return rows.map(({ uid, reason, tenant, listed }) => ({ uid, reason, tenant: tenant ?? undefined, listed }));
}
