import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { buildSchema } from 'graphql';
import { Documents } from '../../../src/api/graphql/documents.ts';
import { defaultRequestLimits } from '../../../src/api/request-limits.ts';
import { schemaText } from '../../../src/api/schema-text.ts';

const schema = buildSchema(schemaText());
const documents = () => new Documents({ schema, limits: defaultRequestLimits, introspection: true });
const megabyte = 1024 * 1024;

function bytesInUse(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  return process.memoryUsage().heapUsed;
}

/** About so many tokens, none of them twice in the same document. */
const valuesOf = (index: number, count: number) =>
  Array.from({ length: count }, (_, value) => `"${index}-${value}"`).join(' ');

describe('documents that never come again', () => {
  const kinds: readonly { kind: string; document: (index: number) => string; count: number }[] = [
    {
      kind: 'queries of many tokens',
      document: (index) => `{ runtimes(filter: { name: [${valuesOf(index, 2_000)}] }) { nodes { id } } }`,
      count: 400,
    },
    {
      kind: 'queries with one long text',
      document: (index) => `{ runtimes(filter: { name: ["${index}${'x'.repeat(200_000)}"] }) { nodes { id } } }`,
      count: 1_000,
    },
    {
      kind: 'queries that are refused',
      document: (index) => `{ runtimes(filter: { nome: [${valuesOf(index, 2_000)}] }) { nodes { id } } }`,
      count: 400,
    },
    {
      kind: 'mutations',
      document: (index) => `mutation { hibernateRuntime(id: "${index}${'x'.repeat(200_000)}") { id } }`,
      count: 1_000,
    },
  ];
  for (const { kind, document, count } of kinds) {
    test(`${kind}: ${count} of them leave little in memory`, () => {
      const checked = documents();
      checked.check(document(-1));
      const before = bytesInUse();
      for (let index = 0; index < count; index += 1) checked.check(document(index));
      const left = (bytesInUse() - before) / megabyte;
      assert.ok(left < 80, `${left.toFixed(0)} MB are left`);
      assert.ok(checked.kept.bytes <= 40 * megabyte);
    });
  }
});

test('a query is read once, however often it comes, and while others come that are not asked again', () => {
  const checked = documents();
  const often = '{ runtimes { nodes { id } } }';
  const { document } = checked.check(often);
  assert.ok(document);
  for (let index = 0; index < 300; index += 1) {
    checked.check(`{ runtimes(filter: { name: [${valuesOf(index, 1_000)}] }) { nodes { id } } }`);
    assert.equal(checked.check(often).document, document);
  }
  assert.ok(checked.kept.documents < 300, 'the others were not all kept');
});

test('what a client wrote into a mutation, secrets included, is not kept', () => {
  const checked = documents();
  assert.ok(checked.check('mutation { hibernateRuntime(id: "x") { id } }').document);
  assert.ok(checked.check('query Q { __typename } mutation M { hibernateRuntime(id: "x") { id } }').document);
  assert.deepEqual(checked.kept, { documents: 0, bytes: 0 });
});
