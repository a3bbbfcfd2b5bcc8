import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { isRecord } from '../domain/json.ts';
import type { Logger } from '../domain/logger.ts';
import { CatalogueFile } from './catalogue-file.ts';

/**
 * Replaces a catalogue by a changed one, made when it is missing, and only by one that the service takes. Throws an Error
 * that says what is wrong; the file is what it was then.
 */
export async function rewriteCatalogue({
  path,
  change,
  log,
}: {
  readonly path: string;
  readonly change: (before: Record<string, unknown>) => Record<string, unknown>;
  readonly log: Logger;
}): Promise<void> {
  const after = change(await readCatalogue(path));
  const draft = `${path}.new`;
  try {
    await writeFile(draft, `${JSON.stringify(after, undefined, 2)}\n`);
    await new CatalogueFile({ path: draft, log }).contents();
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}

async function readCatalogue(path: string): Promise<Record<string, unknown>> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{"channels":{},"releases":{}}';
    throw error;
  });
  const contents: unknown = JSON.parse(text);
  if (!isRecord(contents)) throw new Error(`${path} is not a catalogue: it must be a JSON object`);
  return contents;
}

/** With the hosts to which downloads were redirected, beside those that it names already. */
export function withRedirectHosts(
  catalogue: Record<string, unknown>,
  redirectHosts: readonly string[],
): Record<string, unknown> {
  const hosts = new Set([...stringsOf(catalogue.redirectHosts), ...redirectHosts]);
  return hosts.size > 0 ? { ...catalogue, redirectHosts: [...hosts] } : catalogue;
}

export function recordOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

export function stringsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
