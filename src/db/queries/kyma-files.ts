import type { Database } from '../database.ts';
import { statement } from '../statement.ts';

/** Of all artifacts together. */
export const mostArtifactBytes = 256 * 1024 * 1024;

const find = statement<{ content: Buffer }>(
  'find-kyma-artifact',
  'SELECT content FROM kyma_artifact WHERE sha256 = $1',
);

const touch = statement(
  'touch-kyma-artifact',
  "UPDATE kyma_artifact SET used_at = now() WHERE sha256 = $1 AND used_at < now() - interval '1 hour'",
);

const has = statement<{ sha256: string }>('has-kyma-artifact', 'SELECT sha256 FROM kyma_artifact WHERE sha256 = $1');

const keep = statement(
  'keep-kyma-artifact',
  `INSERT INTO kyma_artifact (sha256, content) VALUES ($1, $2)
  ON CONFLICT (sha256) DO UPDATE SET content = excluded.content, used_at = now()`,
);

const makeRoom = statement(
  'make-room-for-kyma-artifacts',
  `DELETE FROM kyma_artifact WHERE sha256 IN (
    SELECT sha256 FROM (
      SELECT sha256, sum(bytes) OVER (ORDER BY sha256 = $1 DESC, used_at DESC, sha256) AS total FROM kyma_artifact
    ) counted WHERE total > $2 AND sha256 <> $1
  )`,
);

/** Undefined when it is not there. */
export async function findKymaArtifact(options: {
  readonly database: Database;
  readonly sha256: string;
}): Promise<Buffer | undefined> {
  const { database, sha256 } = options;
  const [row] = await database.run(find, [sha256]);
  if (row !== undefined) await database.run(touch, [sha256]);
  return row?.content;
}

export async function hasKymaArtifact(options: {
  readonly database: Database;
  readonly sha256: string;
}): Promise<boolean> {
  const { database, sha256 } = options;
  const [row] = await database.run(has, [sha256]);
  if (row !== undefined) await database.run(touch, [sha256]);
  return row !== undefined;
}

/** Those that were not used for longest make room, so that all are not larger than `mostBytes`. */
export async function keepKymaArtifact(options: {
  readonly database: Database;
  readonly sha256: string;
  readonly content: Buffer;
  readonly mostBytes?: number;
}): Promise<void> {
  const { database, sha256, content, mostBytes = mostArtifactBytes } = options;
  await database.run(keep, [sha256, content]);
  await database.run(makeRoom, [sha256, mostBytes]);
}

export interface StoredCatalogue {
  readonly content: string;
  readonly etag: string | undefined;
}

const findCatalogue = statement<{ content: string; etag: string | null }>(
  'find-kyma-catalogue',
  'SELECT content, etag FROM kyma_catalogue WHERE url = $1',
);

const keepCatalogue = statement(
  'keep-kyma-catalogue',
  `INSERT INTO kyma_catalogue (url, content, etag) VALUES ($1, $2, $3)
  ON CONFLICT (url) DO UPDATE SET content = excluded.content, etag = excluded.etag, fetched_at = now()`,
);

/** The last good contents that any replica has read from there. */
export async function findKymaCatalogue(options: {
  readonly database: Database;
  readonly url: string;
}): Promise<StoredCatalogue | undefined> {
  const [row] = await options.database.run(findCatalogue, [options.url]);
  return row && { content: row.content, etag: row.etag ?? undefined };
}

export async function keepKymaCatalogue(options: {
  readonly database: Database;
  readonly url: string;
  readonly catalogue: StoredCatalogue;
}): Promise<void> {
  const { database, url, catalogue } = options;
  await database.run(keepCatalogue, [url, catalogue.content, catalogue.etag ?? null]);
}
