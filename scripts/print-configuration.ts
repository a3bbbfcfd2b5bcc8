// Prints docs/configuration.md from the table of variables; `--check` fails when the page is stale.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { printConfiguration } from '../src/config.ts';

const page = new URL('../docs/configuration.md', import.meta.url);
const printed = printConfiguration();

if (!process.argv.includes('--check')) {
  writeFileSync(page, printed);
} else if (!existsSync(page) || readFileSync(page, 'utf8') !== printed) {
  console.error('docs/configuration.md is stale: run `npm run generate`');
  process.exitCode = 1;
}
