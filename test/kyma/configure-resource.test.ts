import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConfidentialMapping } from '../../src/kyma/modules/confidential-mapping.ts';
import { configuredSpec } from '../../src/kyma/modules/configure-resource.ts';

const schema = {
  type: 'object',
  properties: {
    config: {
      type: 'object',
      properties: {
        numTrustedProxies: { type: 'integer' },
        ratio: { type: 'number' },
        enabled: { type: 'boolean' },
        forwardMode: { type: 'string', enum: ['APPEND_FORWARD', 'SANITIZE'] },
        port: { 'x-kubernetes-int-or-string': true },
        hosts: { type: 'array' },
      },
    },
    annotations: { type: 'object', additionalProperties: { type: 'string' } },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  },
};

test('values get the type that the schema has for the field', () => {
  const cases: { key: string; value: string; spec: object; reason: string }[] = [
    { key: 'config.numTrustedProxies', value: '2', spec: { config: { numTrustedProxies: 2 } }, reason: 'integer' },
    { key: 'config.ratio', value: '0.5', spec: { config: { ratio: 0.5 } }, reason: 'number' },
    { key: 'config.enabled', value: 'true', spec: { config: { enabled: true } }, reason: 'boolean' },
    { key: 'config.forwardMode', value: 'SANITIZE', spec: { config: { forwardMode: 'SANITIZE' } }, reason: 'enum' },
    { key: 'config.port', value: '80', spec: { config: { port: 80 } }, reason: 'a number where both are allowed' },
    { key: 'config.port', value: 'http', spec: { config: { port: 'http' } }, reason: 'text where both are allowed' },
    { key: 'config.hosts', value: '["a"]', spec: { config: { hosts: ['a'] } }, reason: 'a JSON array' },
    { key: 'annotations.a', value: '1', spec: { annotations: { a: '1' } }, reason: 'text in a map of texts' },
    { key: 'free.a.b', value: 'true', spec: { free: { a: { b: true } } }, reason: 'a guess where all is allowed' },
  ];
  for (const { key, value, spec, reason } of cases) {
    assert.deepEqual(configuredSpec([{ key, value }], schema), { spec, secrets: [], mistakes: [] }, reason);
  }
});

test('every mistake is found, with its entry and field', () => {
  const cases: { entry: { key: string; value: string; secret?: boolean }; field: string; pattern: RegExp }[] = [
    { entry: { key: 'config.nothing', value: '1' }, field: 'key', pattern: /no "nothing"; there is numTrustedProxies/ },
    { entry: { key: 'config.enabled.deep', value: '1' }, field: 'key', pattern: /no "deep"/ },
    { entry: { key: 'config..x', value: '1' }, field: 'key', pattern: /not a dotted path/ },
    { entry: { key: 'free.__proto__.x', value: '1' }, field: 'key', pattern: /not a dotted path/ },
    { entry: { key: 'config.numTrustedProxies', value: '2.5' }, field: 'value', pattern: /whole number, not "2.5"/ },
    { entry: { key: 'config.ratio', value: '' }, field: 'value', pattern: /must be a number/ },
    { entry: { key: 'config.enabled', value: 'yes' }, field: 'value', pattern: /true or false, not "yes"/ },
    { entry: { key: 'config.forwardMode', value: 'X' }, field: 'value', pattern: /APPEND_FORWARD, SANITIZE/ },
    { entry: { key: 'config.hosts', value: '{}' }, field: 'value', pattern: /JSON array/ },
    { entry: { key: 'config.ratio', value: 'pass', secret: true }, field: 'secret', pattern: /maps no confidential/ },
  ];
  const { mistakes } = configuredSpec(
    cases.map(({ entry }) => entry),
    schema,
  );
  assert.equal(mistakes.length, cases.length);
  for (const [index, { field, pattern }] of cases.entries()) {
    assert.equal(mistakes[index]?.entry, index);
    assert.equal(mistakes[index]?.field, field);
    assert.match(mistakes[index]?.message ?? '', pattern);
  }
});

test('a confidential value is not repeated in what is said about it', () => {
  const { mistakes } = configuredSpec([{ key: 'config.ratio', value: 'hunter2', secret: true }], schema);
  assert.equal(mistakes.length, 1);
  assert.doesNotMatch(JSON.stringify(mistakes), /hunter2/);
});

const mappings: readonly ConfidentialMapping[] = [
  { name: 'registry', field: 'config.secretName', keys: { 'config.user': 'username', 'config.password': 'password' } },
  { name: 'fixed', keys: { token: 'token' } },
];

test('confidential entries go where the catalogue maps them, and only there', () => {
  const entries = [
    { key: 'config.enabled', value: 'true' },
    { key: 'config.password', value: 'hunter2', secret: true },
    { key: 'token', value: 'abc', secret: true },
    { key: 'config.user', value: 'me', secret: true },
  ];
  assert.deepEqual(configuredSpec(entries, schema, mappings), {
    spec: { config: { enabled: true, secretName: 'registry' } },
    secrets: [
      { name: 'registry', data: { password: 'hunter2', username: 'me' } },
      { name: 'fixed', data: { token: 'abc' } },
    ],
    mistakes: [],
  });
});

test('what is confidential to the catalogue or to the caller only is refused, and no value is repeated', () => {
  const cases = [
    {
      entries: [{ key: 'config.ratio', value: 'hunter2', secret: true }],
      mistake: /maps only config\.user, config\.password, token$/,
    },
    {
      entries: [{ key: 'token', value: 'hunter2' }],
      mistake: /"token" is confidential: it must be given with secret: true/,
    },
    {
      entries: [
        { key: 'token', value: 'a', secret: true },
        { key: 'token', value: 'hunter2', secret: true },
      ],
      mistake: /"token" is set by another entry too/,
    },
    {
      entries: [
        { key: 'config.secretName', value: 'mine' },
        { key: 'config.user', value: 'hunter2', secret: true },
      ],
      mistake: /"config\.secretName" names the Secret of confidential entries/,
    },
  ];
  for (const { entries, mistake } of cases) {
    const { mistakes } = configuredSpec(entries, undefined, mappings);
    assert.equal(mistakes.length, 1);
    assert.match(mistakes[0]?.message ?? '', mistake);
    assert.doesNotMatch(JSON.stringify(mistakes), /hunter2/);
  }
});

test('two entries for one field, or for a field and a part of it, are refused', () => {
  for (const keys of [
    ['a', 'a'],
    ['a', 'a.b'],
    ['a.b', 'a'],
  ]) {
    const { mistakes } = configuredSpec(
      keys.map((key) => ({ key, value: 'x' })),
      undefined,
    );
    assert.deepEqual(
      mistakes.map(({ entry }) => entry),
      [1],
      keys.join(),
    );
  }
});

test('without a schema only true and false are not text', () => {
  const entries = [
    { key: 'a', value: 'true' },
    { key: 'b', value: '3' },
    { key: 'c.d', value: 'x' },
  ];
  assert.deepEqual(configuredSpec(entries, undefined).spec, { a: true, b: '3', c: { d: 'x' } });
});
