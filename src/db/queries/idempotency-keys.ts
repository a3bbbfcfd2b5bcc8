import type { Tenant } from '../../domain/ids.ts';
import type { Database } from '../database.ts';
import type { ColumnPlace } from '../encryption.ts';
import { statement } from '../statement.ts';

export interface KeyedRequest {
  readonly tenant: Tenant;
  readonly key: string;
  readonly requestHash: string;
}

export type ClaimedKey =
  /** Ours to carry out. */
  | { readonly kind: 'claimed' }
  /** It was carried out; this is what was answered. */
  | { readonly kind: 'answered'; readonly answer: string }
  /** Somebody is carrying it out. */
  | { readonly kind: 'in-use' }
  /** The key was used for something else. */
  | { readonly kind: 'other-request' };

/** The outer query does not see what the inner one has done: it tells how the key was found. */
const claimKey = statement<{ claimed: boolean; request_hash: string | null; answer: string | null }>(
  'claim-idempotency-key',
  `WITH claimed AS (
    INSERT INTO idempotency_key AS found (tenant, key, request_hash, claim, claimed_until)
    VALUES ($1, $2, $3, $4, now() + $5 * interval '1 millisecond')
    ON CONFLICT (tenant, key) DO UPDATE SET claim = excluded.claim, claimed_until = excluded.claimed_until
    WHERE found.request_hash = excluded.request_hash AND found.answer IS NULL
      AND (found.claim IS NULL OR found.claim = excluded.claim OR found.claimed_until <= now())
    RETURNING key
  )
  SELECT EXISTS (SELECT FROM claimed) AS claimed, found.request_hash, found.answer
  FROM (SELECT) one LEFT JOIN idempotency_key found ON found.tenant = $1 AND found.key = $2`,
);

const renewClaim = statement<never>(
  'renew-idempotency-key',
  `UPDATE idempotency_key SET claimed_until = now() + $4 * interval '1 millisecond'
  WHERE tenant = $1 AND key = $2 AND claim = $3`,
);

const storeAnswer = statement<never>(
  'answer-idempotency-key',
  `UPDATE idempotency_key SET answer = $4, claim = NULL, claimed_until = NULL
  WHERE tenant = $1 AND key = $2 AND claim = $3`,
);

/** A key under which something was accepted stays bound to its request. */
const releaseClaim = statement<never>(
  'release-idempotency-key',
  `WITH kept AS (
    UPDATE idempotency_key SET claim = NULL, claimed_until = NULL
    WHERE tenant = $1 AND key = $2 AND claim = $3
      AND EXISTS (SELECT FROM idempotent_acceptance WHERE tenant = $1 AND key = $2)
  )
  DELETE FROM idempotency_key
  WHERE tenant = $1 AND key = $2 AND claim = $3
    AND NOT EXISTS (SELECT FROM idempotent_acceptance WHERE tenant = $1 AND key = $2)`,
);

const removeOld = statement<{ removed: number }>(
  'remove-idempotency-keys',
  `WITH old_key AS (
    DELETE FROM idempotency_key WHERE created_at < now() - $1 * interval '1 millisecond' RETURNING key
  ), old_acceptance AS (
    DELETE FROM idempotent_acceptance WHERE accepted_at < now() - $1 * interval '1 millisecond'
  )
  SELECT count(*)::int AS removed FROM old_key`,
);

/** `claim` names this attempt; the same one may be made again after an uncertain answer. */
export async function claimIdempotencyKey(options: {
  readonly database: Database;
  readonly request: KeyedRequest;
  readonly claim: string;
  readonly leaseMillis: number;
}): Promise<ClaimedKey> {
  const { database, request, claim, leaseMillis } = options;
  const { tenant, key, requestHash } = request;
  const [found] = await database.run(claimKey, [tenant, key, requestHash, claim, leaseMillis]);
  if (found?.claimed) return { kind: 'claimed' };
  if (found && found.request_hash !== null && found.request_hash !== requestHash) return { kind: 'other-request' };
  if (!found?.answer || !database.cipher) return { kind: 'in-use' };
  return { kind: 'answered', answer: database.cipher.open(found.answer, placeOf(request)) };
}

/** Holds on to a claim. */
export async function renewIdempotencyKey(options: {
  readonly database: Database;
  readonly request: KeyedRequest;
  readonly claim: string;
  readonly leaseMillis: number;
}): Promise<void> {
  const { database, request, claim, leaseMillis } = options;
  await database.run(renewClaim, [request.tenant, request.key, claim, leaseMillis]);
}

/**
 * Ends a claim. With an answer, that is what the key answers from now on; without one, or without a key to encrypt it
 * with, the request may be sent again, and the key used for another one if nothing was accepted under it.
 */
export async function settleIdempotencyKey(options: {
  readonly database: Database;
  readonly request: KeyedRequest;
  readonly claim: string;
  readonly answer: string | undefined;
}): Promise<void> {
  const { database, request, claim, answer } = options;
  const ours = [request.tenant, request.key, claim];
  if (answer === undefined || !database.cipher) await database.run(releaseClaim, ours);
  else await database.run(storeAnswer, [...ours, database.cipher.seal(answer, placeOf(request))]);
}

/** Answers how many keys were removed. */
export async function removeIdempotencyKeys(options: {
  readonly database: Database;
  readonly olderThanMillis: number;
}): Promise<number> {
  const [row] = await options.database.run(removeOld, [options.olderThanMillis]);
  return row?.removed ?? 0;
}

function placeOf({ tenant, key }: KeyedRequest): ColumnPlace {
  return { table: 'idempotency_key', row: JSON.stringify([tenant, key]), column: 'answer' };
}
