// `npm run generate`: writes src/api/generated/schema.ts, the TypeScript types of the contract in schema/.
// With `--check` it writes nothing and ends with 1 when the file is not what it would write.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { codegen } from '@graphql-codegen/core';
import * as typescript from '@graphql-codegen/typescript';
import * as typescriptResolvers from '@graphql-codegen/typescript-resolvers';
import { parse } from 'graphql';
import { schemaText } from '../src/api/schema-text.ts';

const { values: options } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const target = fileURLToPath(new URL('../src/api/generated/schema.ts', import.meta.url));

const types = await codegen({
  schema: parse(schemaText()),
  documents: [],
  filename: target,
  plugins: [{ typescript: {} }, { typescriptResolvers: {} }],
  pluginMap: { typescript, typescriptResolvers },
  config: {
    enumsAsTypes: true,
    useTypeImports: true,
    immutableTypes: true,
    namingConvention: 'keep',
    maybeValue: 'T | null | undefined',
    contextType: '../context.ts#RequestContext',
    scalars: {
      Labels: { input: 'Readonly<Record<string, unknown>>', output: 'Readonly<Record<string, unknown>>' },
      KymaModule: { input: 'string', output: 'string' },
      Manifest: { input: 'never', output: 'Readonly<Record<string, unknown>>' },
      Timestamp: { input: 'Date', output: 'Date' },
    },
    // What resolvers of these types are given; their fields are worked out only when they are selected.
    mappers: {
      OperationStatus: '../views.ts#OperationView',
      RuntimeStatus: '../views.ts#RuntimeView',
      RuntimeConnectionConfig: '../views.ts#RuntimeView',
      RuntimeConfig: '../views.ts#RuntimeView',
      Runtime: '../../db/queries/list-runtimes.ts#ListedRuntime',
      Orphan: '../views.ts#OrphanView',
      OrphanSearch: '../../db/queries/orphan-searches.ts#OrphanSearchState',
      OperationUpdate: '../../domain/operation-event.ts#FollowedEvent',
      RuntimeUpdate: '../live/runtime-track.ts#UpdateWithCursor',
    },
  },
});
const text = `// Printed from schema/ by \`npm run generate\`. Do not edit.\n${types}`;

if (!options.check) {
  writeFileSync(target, text);
} else if (!existsSync(target) || readFileSync(target, 'utf8') !== text) {
  console.error('src/api/generated/schema.ts is not what schema/ says: run `npm run generate`.');
  process.exitCode = 1;
}
