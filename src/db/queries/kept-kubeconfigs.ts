import type { RuntimeId } from '../../domain/ids.ts';
import { Secret } from '../../domain/secret.ts';
import type { Database } from '../database.ts';
import { type ColumnPlace, EncryptionError } from '../encryption.ts';
import { statement } from '../statement.ts';

/** A kubeconfig is answered for this and for nothing else. */
export interface KubeconfigKey {
  readonly runtimeId: RuntimeId;
  readonly role: 'admin' | 'viewer';
  /** As it is asked for. */
  readonly lifetimeSeconds: number;
  /** Another one when kubeconfigs that were issued before may not work any more. */
  readonly version: string;
}

export interface KeptKubeconfig {
  readonly kubeconfig: Secret;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
}

/** In the second half of its life it would be too short for the next caller. */
const isFresh = "now() < issued_at + (expires_at - issued_at) / 2 AND issued_at < now() + interval '1 minute'";

const find = statement<{ kubeconfig: string; issued_at: Date; expires_at: Date }>(
  'find-kept-kubeconfig',
  `SELECT kubeconfig, issued_at, expires_at FROM kept_kubeconfig
  WHERE runtime_id = $1 AND role = $2 AND lifetime_seconds = $3 AND version = $4 AND ${isFresh}`,
);

/** The lock keeps a Runtime from being marked as gone meanwhile, which removes what was kept for it. */
const keep = statement(
  'keep-kubeconfig',
  `WITH target AS (
    SELECT id FROM runtime WHERE id = $1 AND deleted_at IS NULL AND lost_at IS NULL FOR KEY SHARE
  )
  INSERT INTO kept_kubeconfig (runtime_id, role, lifetime_seconds, version, kubeconfig, issued_at, expires_at)
  SELECT id, $2, $3, $4, $5, $6, $7 FROM target
  ON CONFLICT (runtime_id, role) DO UPDATE SET lifetime_seconds = excluded.lifetime_seconds,
    version = excluded.version, kubeconfig = excluded.kubeconfig, issued_at = excluded.issued_at,
    expires_at = excluded.expires_at`,
);

const removeOld = statement('remove-kept-kubeconfigs', `DELETE FROM kept_kubeconfig WHERE NOT (${isFresh})`);

/** Undefined when there is none, when it does not open, and when no key is configured to open it with. */
export async function findKeptKubeconfig(options: {
  readonly database: Database;
  readonly key: KubeconfigKey;
}): Promise<KeptKubeconfig | undefined> {
  const { database, key } = options;
  if (!database.cipher) return undefined;
  const [row] = await database.run(find, keyValues(key));
  if (row === undefined) return undefined;
  try {
    const kubeconfig = new Secret(database.cipher.open(row.kubeconfig, placeOf(key)));
    return { kubeconfig, issuedAt: row.issued_at, expiresAt: row.expires_at };
  } catch (error) {
    if (error instanceof EncryptionError) return undefined;
    throw error;
  }
}

/** Does nothing when no key is configured to encrypt it with. */
export async function keepKubeconfig(options: {
  readonly database: Database;
  readonly key: KubeconfigKey;
  readonly kept: KeptKubeconfig;
}): Promise<void> {
  const { database, key, kept } = options;
  if (!database.cipher) return;
  const sealed = database.cipher.seal(kept.kubeconfig.reveal(), placeOf(key));
  await database.run(keep, [...keyValues(key), sealed, kept.issuedAt, kept.expiresAt]);
}

/** Removes those that would not be answered again. */
export async function removeKeptKubeconfigs(options: { readonly database: Database }): Promise<void> {
  await options.database.run(removeOld, []);
}

function keyValues({ runtimeId, role, lifetimeSeconds, version }: KubeconfigKey): readonly unknown[] {
  return [runtimeId, role, lifetimeSeconds, version];
}

function placeOf({ runtimeId, role }: KubeconfigKey): ColumnPlace {
  return { table: 'kept_kubeconfig', row: `${runtimeId}/${role}`, column: 'kubeconfig' };
}
