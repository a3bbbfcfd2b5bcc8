import { readdirSync, readFileSync } from 'node:fs';

const folder = new URL('../../schema/', import.meta.url);

/** The GraphQL contract: every file of `schema/`, in the order of their names, as one document. */
export function schemaText(): string {
  const files = readdirSync(folder).filter((name) => name.endsWith('.graphql'));
  return files
    .toSorted()
    .map((name) => readFileSync(new URL(name, folder), 'utf8'))
    .join('\n');
}
