// Prints docs/api-reference.md from the schema and the table of failures; `--check` fails when the page is stale.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { buildSchema } from 'graphql';
import { schemaText } from '../src/api/schema-text.ts';
import { failureKinds } from '../src/domain/failures.ts';
import { printReference } from './api-reference/print-reference.ts';

const page = new URL('../docs/api-reference.md', import.meta.url);
const errors = Object.entries(failureKinds).map(([code, kind]) => ({ code, ...kind }));
const printed = printReference({ schema: buildSchema(schemaText()), errors });

if (!process.argv.includes('--check')) {
  writeFileSync(page, printed);
} else if (!existsSync(page) || readFileSync(page, 'utf8') !== printed) {
  console.error('docs/api-reference.md is stale: run `npm run generate`');
  process.exitCode = 1;
}
