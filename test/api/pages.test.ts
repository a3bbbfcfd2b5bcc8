import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { buildSchema, getIntrospectionQuery, parse, validate } from 'graphql';
import type { ReadinessCheck } from '../../src/api/dependencies.ts';
import { schemaText } from '../../src/api/schema-text.ts';
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

test('GraphiQL at / needs no other host and nothing inline', async (t) => {
  const { origin } = await apiUnderTest(t);
  const page = await fetch(`${origin}/`);
  assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
  const html = await page.text();
  assert.match(html, /data-endpoint="\/graphql"/);
  assert.doesNotMatch(html, /\{\{|<style|style=|<script[^>]*>[^<]|\bon\w+=/);
  for (const [, reference] of html.matchAll(/(?:src|href)="([^"]*)"/g)) {
    assert.match(reference ?? '', /^(data:,|playground\/[0-9a-f]{16}\/[\w-]+\.(js|css))$/);
  }
});

test('the Content-Security-Policy of the page allows our own files, one style nonce per answer and the endpoint', async (t) => {
  const { origin } = await apiUnderTest(t, { playgroundEndpoint: 'https://api.example:8443/graphql?a="><script>' });
  const pages = await Promise.all([1, 2].map(() => fetch(`${origin}/`)));
  const nonces = await Promise.all(
    pages.map(async (page) => {
      const html = await page.text();
      const nonce = html.match(/nonce="([^"]+)"/)?.[1] ?? '';
      assert.deepEqual(page.headers.get('content-security-policy')?.split('; '), [
        "default-src 'none'",
        "script-src 'self'",
        `style-src 'self' 'nonce-${nonce}'`,
        'font-src data:',
        'img-src data:',
        "connect-src 'self' https://api.example:8443",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
      ]);
      assert.equal(page.headers.get('cache-control'), 'no-store');
      assert.equal(page.headers.get('x-content-type-options'), 'nosniff');
      assert.equal(page.headers.get('referrer-policy'), 'no-referrer');
      assert.match(html, /data-endpoint="https:\/\/api\.example:8443\/graphql\?a=&#34;&#62;&#60;script&#62;"/);
      return nonce;
    }),
  );
  assert.notEqual(nonces[0], nonces[1]);
});

test('what GraphiQL loads is what npm brought, typed, and kept by browsers for good', async (t) => {
  const { origin } = await apiUnderTest(t);
  const loaded = await loadedFiles(origin);
  assert.deepEqual([...loaded.keys()].toSorted(), [
    'example.js',
    'graphiql.css',
    'graphiql.js',
    'playground.css',
    'playground.js',
    'react-dom.js',
    'react.js',
    'storage.js',
  ]);
  for (const [name, { response }] of loaded) {
    const type = name.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8';
    assert.deepEqual([response.status, response.headers.get('content-type')], [200, type], name);
    assert.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
  }
  const installed = (file: string) => readFileSync(new URL(`../../node_modules/${file}`, import.meta.url), 'utf8');
  assert.equal(loaded.get('graphiql.js')?.text, installed('graphiql/graphiql.min.js'));
  assert.equal(loaded.get('graphiql.css')?.text, installed('graphiql/graphiql.min.css'));
  assert.equal(loaded.get('react.js')?.text, installed('react/umd/react.production.min.js'));
  assert.equal(loaded.get('react-dom.js')?.text, installed('react-dom/umd/react-dom.production.min.js'));
});

test('nothing else is served beside the page', async (t) => {
  const { origin } = await apiUnderTest(t);
  const [, version] = (await (await fetch(`${origin}/`)).text()).match(/playground\/([0-9a-f]+)\//) ?? [];
  const paths = [
    ...['/playground/', '/playground/playground.js', '/playground/0000000000000000/playground.js', '/favicon.ico'],
    ...['', 'index.html', 'graphiql.min.js.map', 'index.umd.js.map', 'constructor', '../../config.ts'].map(
      (file) => `/playground/${version}/${encodeURIComponent(file)}`,
    ),
  ];
  for (const path of paths) {
    const response = await fetch(`${origin}${path}`);
    assert.equal(response.status, 404, path);
    assert.doesNotMatch(await response.text(), /node_modules|import |version/, path);
  }
  assert.equal((await fetch(`${origin}/`, { method: 'POST' })).status, 404);
});

/** Follows the page to all that it loads, modules of modules included. */
async function loadedFiles(origin: string) {
  const loaded = new Map<string, { response: Response; text: string }>();
  const html = await (await fetch(`${origin}/`)).text();
  const waiting = [...html.matchAll(/(?:src|href)="(playground[^"]+)"/g)].map(([, file]) => new URL(`${file}`, origin));
  for (let url = waiting.pop(); url !== undefined; url = waiting.pop()) {
    const response = await fetch(url);
    const text = await response.text();
    loaded.set(url.pathname.split('/').at(-1) ?? '', { response, text });
    for (const [, module] of text.matchAll(/^import .* from '(\.\/[^']+)'/gm)) waiting.push(new URL(`${module}`, url));
  }
  return loaded;
}

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

test('the example that GraphiQL starts with is valid', async () => {
  const schema = buildSchema(schemaText());
  const { exampleQuery, exampleHeaders } = await playground('example.js');
  const document = parse(exampleQuery);
  assert.deepEqual(validate(schema, document), []);
  assert.equal(document.definitions.length, 2);
  assert.deepEqual(JSON.parse(exampleHeaders), { tenant: 'demo' });
});

test('the browser keeps what was written, but nothing confidential', async () => {
  const { createRequestStorage } = await playground('storage.js');
  const kept = new Map<string, string>();
  const storage = createRequestStorage({
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => kept.set(name, value),
    removeItem: (name: string) => kept.delete(name),
    clear: () => kept.clear(),
    length: 0,
  });
  const query = 'mutation { a(b: [{ key: "k", value: "hunter2", secret: true }]) }';
  const variables = '{\n  "entry": { "value": "hunter2",\n "secret":\n true }\n}';
  const ordinary = '{ runtimeStatus(id: "a secret: maybe") { a } }';

  storage.setItem('graphiql:queries', JSON.stringify({ queries: [{ query: ordinary }] }));
  storage.setItem('graphiql:theme', 'dark');
  storage.setItem('graphiql:query', 'mutation { a(b: [{ key: "k", value: "hunter2" }]) }');
  assert.equal(kept.size, 3);
  const withoutDrafts = ['graphiql:queries', 'graphiql:theme'];
  for (const value of [query, JSON.stringify({ tabs: [{ variables }] })]) {
    storage.setItem('graphiql:tabState', value);
    storage.setItem('graphiql:variables', '{ "value": "hunter2" }');
    storage.setItem('graphiql:queries', JSON.stringify({ queries: [{ query: value, variables }] }));
    assert.deepEqual([...kept.keys()], withoutDrafts);
  }
  assert.doesNotMatch([...kept.values()].join(), /hunter2/);

  storage.setItem('graphiql:tabState', ordinary);
  storage.setItem('graphiql:query', ordinary);
  assert.equal(storage.getItem('graphiql:query'), ordinary);
  storage.setItem('graphiql:query', query);
  storage.removeItem('graphiql:query');
  storage.setItem('graphiql:variables', '{}');
  assert.equal(kept.get('graphiql:variables'), '{}');
});
