import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { shootKind } from '../src/clusters/gardener/shoot/shoot.ts';
import type { KubernetesClient, KubernetesObject } from '../src/kubernetes/kubernetes-client.ts';
import { inTurns, namespace } from './many-shoots.ts';

/** A provisioning that waits for its Shoot, which stays as it is. */
export interface Pattern {
  readonly runtimeId: string;
  readonly operationId: string;
  readonly shoot: KubernetesObject;
}

interface Copy {
  readonly runtime: string;
  readonly operation: string;
  readonly name: string;
}

/**
 * Adds `count` provisionings like the pattern: their rows as the API would have stored them, their Shoots through the
 * Garden's API. Then they are due at once, so that the service looks at each and then lets it wait by itself.
 */
export async function addWaiting({
  garden,
  client,
  pattern,
  prefix,
  count,
}: {
  garden: KubernetesClient;
  client: Client;
  pattern: Pattern;
  prefix: string;
  count: number;
}): Promise<void> {
  const copies = Array.from({ length: count }, (_, index) => ({
    ...{ runtime: randomUUID(), operation: randomUUID(), name: `${prefix}-${index}` },
  }));
  const values = [JSON.stringify(copies), pattern.runtimeId, pattern.operationId];
  const runtime = await copyingColumns(client, 'runtime', ['id', 'name', 'cluster_name']);
  const operation = await copyingColumns(client, 'operation', ['id', 'runtime_id', 'owner', 'next_look', 'wake_key']);
  const event = await copyingColumns(client, 'operation_event', ['operation_id']);
  const copy = 'jsonb_to_recordset($1::jsonb) AS copy (runtime uuid, operation uuid, name text)';
  await client.query('BEGIN');
  await client.query(
    `INSERT INTO runtime (id, name, cluster_name, ${runtime})
    SELECT copy.runtime, copy.name, copy.name, ${runtime} FROM runtime, ${copy} WHERE id = $2 AND $3::uuid IS NOT NULL`,
    values,
  );
  await client.query(
    `INSERT INTO operation (id, runtime_id, next_look, ${operation})
    SELECT copy.operation, copy.runtime, now() + interval '1 hour', ${operation} FROM operation, ${copy} WHERE id = $3 AND runtime_id = $2`,
    values,
  );
  await client.query(
    `INSERT INTO operation_event (operation_id, ${event})
    SELECT copy.operation, ${event} FROM operation_event, ${copy} WHERE operation_id = $3 AND $2::uuid IS NOT NULL`,
    values,
  );
  await client.query('COMMIT');
  // Only now, as a Shoot that no row knows would be looked into as an orphan.
  await inTurns(copies, async (copy) => {
    await garden.create(shootKind, shootLike(pattern, copy));
  });
  const ids = copies.map(({ operation }) => operation);
  await client.query('UPDATE operation SET next_look = now() WHERE id = ANY ($1)', [ids]);
}

function shootLike({ shoot, runtimeId, operationId }: Pattern, { runtime, operation, name }: Copy): KubernetesObject {
  const { metadata, spec } = shoot as KubernetesObject & { spec: object };
  const text = JSON.stringify({
    ...{ apiVersion: shoot.apiVersion, kind: shoot.kind, spec },
    metadata: { name, namespace, labels: metadata.labels, annotations: metadata.annotations },
  });
  return JSON.parse(text.replaceAll(runtimeId, runtime).replaceAll(operationId, operation));
}

/** All columns that an INSERT may name, but those that are given. */
async function copyingColumns(client: Client, table: string, given: readonly string[]): Promise<string> {
  const { rows } = await client.query<{ columns: string }>(
    `SELECT string_agg(column_name, ', ') AS columns FROM information_schema.columns
    WHERE table_schema = 'public' AND table_name = $1 AND column_name <> ALL ($2)
      AND is_generated = 'NEVER' AND is_identity = 'NO'`,
    [table, given],
  );
  return rows[0]?.columns ?? '';
}
