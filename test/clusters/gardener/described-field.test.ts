import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDescribed } from '../../../src/clusters/gardener/described-field.ts';

/** As Gardener's API server writes it: each type by itself, and fields that refer to it in two ways. */
const document = {
  openapi: '3.0.0',
  components: {
    schemas: {
      'v1beta1.ShootList': { 'x-kubernetes-group-version-kind': [{ kind: 'ShootList' }] },
      'v1beta1.Shoot': {
        type: 'object',
        properties: { spec: { default: {}, allOf: [{ $ref: '#/components/schemas/v1beta1.ShootSpec' }] } },
        'x-kubernetes-group-version-kind': [{ group: 'core.gardener.cloud', kind: 'Shoot', version: 'v1beta1' }],
      },
      'v1beta1.ShootSpec': { properties: { dns: { $ref: '#/components/schemas/v1beta1.DNS' }, extra: {} } },
      'v1beta1.DNS': {
        properties: {
          providers: {
            type: 'array',
            items: { default: {}, allOf: [{ $ref: '#/components/schemas/v1beta1.DNSProvider' }] },
          },
        },
      },
      'v1beta1.DNSProvider': { properties: { secretName: { type: 'string' } } },
    },
  },
};

test('fields are found through what types refer to and through lists', () => {
  assert.equal(isDescribed(document, 'Shoot', ['spec', 'dns', 'providers', 'secretName']), true);
});

test('a field that a described type does not have is not there', () => {
  assert.equal(isDescribed(document, 'Shoot', ['spec', 'dns', 'providers', 'credentialsRef']), false);
  assert.equal(isDescribed(document, 'Shoot', ['spec', 'accessRestrictions']), false);
});

test('what is not described may have any field', () => {
  assert.equal(isDescribed(document, 'Shoot', ['spec', 'extra', 'any']), undefined);
  assert.equal(isDescribed(document, 'Seed', ['spec']), undefined);
  assert.equal(isDescribed(undefined, 'Shoot', ['spec']), undefined);
});
