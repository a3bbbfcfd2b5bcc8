import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { buildSchema, getIntrospectionQuery, parse, validate } from 'graphql';
import type { ReadinessCheck } from '../../src/api/dependencies.ts';
import { apiUnderTest } from './api-under-test.ts';

test('healthz answers for the process, readyz names what is missing', async (t) => {
  let checks: readonly ReadinessCheck[] = [
    { name: 'database', ready: true },
    { name: 'informer', ready: false, reason: 'the Shoots are not listed yet' },
  ];
  const { origin } = await apiUnderTest(t, { readiness: async () => checks });
  const health = await fetch(`${origin}/healthz`);
  assert.deepEqual([health.status, await health.text()], [200, 'ok']);
  const waiting = await fetch(`${origin}/readyz`);
  assert.equal(waiting.status, 503);
  assert.deepEqual(await waiting.json(), { ready: false, checks });
  checks = checks.map(({ name }) => ({ name, ready: true }));
  const ready = await fetch(`${origin}/readyz`);
  assert.equal(ready.status, 200);
  assert.deepEqual(await ready.json(), { ready: true, checks });
});

test('the playground needs no other host and nothing inline', async (t) => {
  const { origin } = await apiUnderTest(t);
  const page = await fetch(`${origin}/`);
  assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
  assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'; script-src 'self'/);
  const html = await page.text();
  assert.match(html, /data-endpoint="\/graphql"/);
  const references = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, reference]) => reference ?? '');
  assert.ok(references.length >= 2);
  for (const reference of references) {
    assert.match(reference, /^\/playground\//);
    assert.equal((await fetch(`${origin}${reference}`)).status, 200, reference);
  }
  const script = await (await fetch(`${origin}/playground/playground.js`)).text();
  for (const [, module] of script.matchAll(/from '\.\/([^']+)'/g)) {
    const response = await fetch(`${origin}/playground/${module}`);
    assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'text/javascript; charset=utf-8']);
  }
});

test('the schema explains itself to tools, without a tenant', async (t) => {
  const { call } = await apiUnderTest(t);
  const { data, errors } = await call(getIntrospectionQuery(), { tenant: '' });
  assert.equal(errors, undefined);
  const input = data.__schema.types.find((type: { name: string }) => type.name === 'GardenerConfigInput');
  const silent = input.inputFields.filter((field: { description: string | null }) => !field.description);
  assert.deepEqual(silent, [], 'every field of an order is explained');
});

// The page's scripts are JavaScript for browsers, so what they export has no types here.
const playground = (file: string) => import(new URL(`../../src/api/playground/${file}`, import.meta.url).href);

test('the examples of the playground are valid', async () => {
  const schema = buildSchema(readFileSync(new URL('../../schema/provisioner.graphql', import.meta.url), 'utf8'));
  const { examples } = await playground('examples.js');
  assert.ok(examples.length >= 4);
  for (const { title, query, variables } of examples) {
    assert.deepEqual(validate(schema, parse(query)), [], title);
    assert.equal(typeof JSON.parse(variables || '{}'), 'object', title);
  }
});

test('the playground remembers what was sent, newest first and once, but nothing confidential', async () => {
  const stored = new Map<string, string>();
  const { createHistory } = await playground('history.js');
  const history = createHistory({
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => stored.set(name, value),
  });
  for (const query of ['{ a }', '{ b }', '{ a }']) history.add({ query, variables: '' });
  history.add({ query: 'mutation { a(b: [{ key: "k", value: "hunter2", secret: true }]) }', variables: '' });
  history.add({ query: 'mutation ($b: B) { a(b: $b) }', variables: '{ "value": "hunter2", "secret": true }' });
  const queries = history.entries().map((entry: { query: string }) => entry.query);
  assert.deepEqual(queries, ['{ a }', '{ b }']);
  for (let count = 0; count < 50; count++) history.add({ query: `{ a${count} }`, variables: '' });
  assert.equal(history.entries().length, 30);
  stored.set('provisioner.history', 'no JSON');
  assert.deepEqual(history.entries(), []);
});
