import type { OrphanSource } from '../../domain/orphan.ts';
import type { Database } from '../database.ts';
import { statement } from '../statement.ts';

/** A part of the outside world that is searched at once. */
export interface OrphanScope {
  readonly source: OrphanSource;
  readonly scope: string;
}

/** A Runtime that is gone may have left something for as long. */
const rememberDays = 30;
/** Of orphans that are gone. */
const keepDays = 30;

/** Secret and project, through which the clusters of a project can be listed. */
const gkeScope = `(cluster_config->>'credentialsSecretName') || '/' || (cluster_config->>'projectName')`;

/** Where Runtimes are, or were a short while ago, and where orphans have been found. */
const known = `SELECT 'gardener' AS source, '' AS scope
    UNION SELECT 'gke', ${gkeScope} FROM runtime
      WHERE driver = 'gke' AND (deleted_at IS NULL OR deleted_at > now() - interval '${rememberDays} days')
    UNION SELECT 'director', tenant FROM runtime
      WHERE registration = 'ours' AND (deleted_at IS NULL OR deleted_at > now() - interval '${rememberDays} days')
    UNION SELECT 'director', tenant FROM registration_intent
    UNION SELECT source, scope FROM orphan WHERE gone_at IS NULL`;

const follow = statement(
  'follow-orphan-scopes',
  `WITH known AS MATERIALIZED (${known}), forgotten AS (
    DELETE FROM orphan_search
    WHERE NOT EXISTS (
      SELECT FROM known WHERE known.source = orphan_search.source AND known.scope = orphan_search.scope
    )
  ), old AS (
    DELETE FROM orphan WHERE gone_at < now() - interval '${keepDays} days'
  )
  INSERT INTO orphan_search (source, scope) SELECT source, scope FROM known ON CONFLICT DO NOTHING`,
);

const claim = statement<OrphanScope>(
  'claim-orphan-searches',
  `UPDATE orphan_search SET due_at = now() + $2 * interval '1 millisecond'
  WHERE (source, scope) IN (
    SELECT source, scope FROM orphan_search
    WHERE source = ANY ($1) AND due_at <= now()
    ORDER BY due_at LIMIT $3
    FOR UPDATE SKIP LOCKED
  )
  RETURNING source, scope`,
);

/** What is to be searched now, for at most `limit` scopes; nobody else gets them before they are due again. */
export async function claimOrphanSearches(options: {
  readonly database: Database;
  readonly sources: readonly OrphanSource[];
  readonly everyMilliseconds: number;
  readonly limit: number;
}): Promise<readonly OrphanScope[]> {
  const { database, sources, everyMilliseconds, limit } = options;
  await database.run(follow, []);
  return database.run(claim, [sources, everyMilliseconds, limit]);
}

const settle = statement(
  'settle-orphan-search',
  `UPDATE orphan_search SET searched_at = now(), problem = NULL,
    due_at = greatest(due_at, now() + $3 * interval '1 millisecond')
  WHERE source = $1 AND scope = $2`,
);
const giveUp = statement(
  'give-up-orphan-search',
  `UPDATE orphan_search SET problem = $4, due_at = greatest(due_at, now() + $3 * interval '1 millisecond')
  WHERE source = $1 AND scope = $2`,
);

/** A search has seen all there is; it rests for at least so long. */
export async function settleOrphanSearch(options: {
  readonly database: Database;
  readonly scope: OrphanScope;
  readonly restMilliseconds: number;
}): Promise<void> {
  const { database, scope, restMilliseconds } = options;
  await database.run(settle, [scope.source, scope.scope, restMilliseconds]);
}

/** A search has failed, and is not tried again before so long. */
export async function giveUpOrphanSearch(options: {
  readonly database: Database;
  readonly scope: OrphanScope;
  readonly restMilliseconds: number;
  readonly problem: string;
}): Promise<void> {
  const { database, scope, restMilliseconds, problem } = options;
  await database.run(giveUp, [scope.source, scope.scope, restMilliseconds, problem]);
}

/** How far the searches are in which something of a tenant may be found. */
export interface OrphanSearchState {
  readonly source: OrphanSource;
  /** Of the scope that was searched least recently; undefined when one has never been searched as a whole. */
  readonly searchedAt: Date | undefined;
  readonly problem: string | undefined;
}

const ofTenant = statement<{ source: OrphanSource; searched_at: Date | null; problem: string | null }>(
  'orphan-searches-of-tenant',
  `SELECT source, CASE WHEN bool_and(searched_at IS NOT NULL) THEN min(searched_at) END AS searched_at,
    min(problem) AS problem
  FROM orphan_search
  WHERE source = 'gardener' OR (source = 'director' AND scope = $1)
    OR (source = 'gke' AND scope IN (SELECT ${gkeScope} FROM runtime WHERE tenant = $1 AND driver = 'gke'))
  GROUP BY source ORDER BY source`,
);

export async function orphanSearchesOfTenant(options: {
  readonly database: Database;
  readonly tenant: string;
}): Promise<readonly OrphanSearchState[]> {
  const rows = await options.database.run(ofTenant, [options.tenant]);
  return rows.map(({ source, searched_at, problem }) => ({
    source,
    searchedAt: searched_at ?? undefined,
    problem: problem ?? undefined,
  }));
}
