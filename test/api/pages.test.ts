import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getIntrospectionQuery } from 'graphql';
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
