import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseManifest } from '../../src/kyma/manifest.ts';

const names = (text: string) => parseManifest(text).map(({ metadata }) => metadata.name);

test('empty documents, comments and a leading separator are skipped', () => {
  const text = '---\n# only a comment\n---\napiVersion: v1\nkind: Secret\nmetadata: { name: one }\n---\n---\n';
  assert.deepEqual(names(text), ['one']);
});

test('a certificate with dashes inside a block scalar does not split a document', () => {
  const text = `apiVersion: v1
kind: ConfigMap
metadata: { name: certificates }
data:
  ca.crt: |
    -----BEGIN CERTIFICATE-----
    MIIB
    -----END CERTIFICATE-----
    ---
    after
---
apiVersion: v1
kind: Secret
metadata: { name: two }
`;
  const [certificates, second] = parseManifest(text);
  const data = certificates?.data as Record<string, string>;
  assert.match(data['ca.crt'] ?? '', /END CERTIFICATE-----\n---\nafter\n$/);
  assert.equal(second?.metadata.name, 'two');
});

test('scalars mean what they mean to Kubernetes', () => {
  const cases: { yaml: string; value: unknown; reason: string }[] = [
    { yaml: '0644', value: 420, reason: 'a leading zero is octal in YAML 1.1' },
    { yaml: 'yes', value: true, reason: 'yes is a boolean in YAML 1.1' },
    { yaml: 'off', value: false, reason: 'off is a boolean in YAML 1.1' },
    { yaml: '2001-01-01', value: '2001-01-01', reason: 'the parser of Kubernetes keeps dates as text' },
    { yaml: '22:30', value: '22:30', reason: 'the parser of Kubernetes knows no numbers to the base of 60' },
    { yaml: '"yes"', value: 'yes', reason: 'what is quoted is text' },
  ];
  for (const { yaml, value, reason } of cases) {
    const [object] = parseManifest(`apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\nvalue: ${yaml}\n`);
    assert.deepEqual(object?.value, value, reason);
  }
});

test('the items of lists are opened', () => {
  const text = `apiVersion: v1
kind: List
items:
  - { apiVersion: v1, kind: ServiceAccount, metadata: { name: one } }
  - { apiVersion: v1, kind: Service, metadata: { name: two } }
`;
  assert.deepEqual(names(text), ['one', 'two']);
});

test('what is not a manifest is refused with the place', () => {
  const cases = [
    { text: 'a: [', pattern: /document 1/ },
    {
      text: 'apiVersion: v1\nkind: Secret\nmetadata: { name: a }\n---\nkind: Secret\n',
      pattern: /document 2 .*metadata.name/,
    },
    { text: 'just text', pattern: /document 1 is not a Kubernetes object/ },
    { text: '- 1\n- 2\n', pattern: /document 1 is not a Kubernetes object/ },
    { text: '<html>not found</html>', pattern: /document 1/ },
  ];
  for (const { text, pattern } of cases) assert.throws(() => parseManifest(text), pattern, text);
});
