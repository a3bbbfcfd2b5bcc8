import { existsSync } from 'node:fs';

/** Scripts that print a file of the repository from its source; with `--check` they only tell whether it is stale. */
const all = [
  { prints: 'types of the GraphQL schema', script: 'scripts/generate.ts' },
  { prints: 'docs/flows.md', script: 'scripts/print-flows.ts' },
  { prints: 'docs/configuration.md', script: 'scripts/print-configuration.ts' },
  { prints: 'docs/api-reference.md', script: 'scripts/print-api-reference.ts' },
  { prints: 'docs/schema.md', script: 'scripts/print-schema.ts' },
] as const;

export const generators = all.filter(({ script }) => existsSync(script));
