import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { refusalOf } from '../../../src/clusters/gardener/refusal.ts';
import { rejectedFields } from '../../../src/clusters/gardener/shoot/rejected-fields.ts';
import { KubernetesError, type StatusCause, UnreachableError } from '../../../src/kubernetes/kubernetes-error.ts';

function refused(status: number, reason: string, message: string, causes: readonly StatusCause[] = []) {
  return new KubernetesError({ status, reason, message, causes });
}

const head = 'shoots.core.gardener.cloud "c" is forbidden: ';
const cases: readonly (readonly [because: string, error: Error, code: string | undefined])[] = [
  ['a static mistake', refused(422, 'Invalid', 'Shoot "c" is invalid'), 'CLUSTER_REJECTED'],
  ['a field that Gardener has removed', refused(400, 'BadRequest', 'strict decoding error'), 'CLUSTER_REJECTED'],
  [
    "an admission plug-in's finding",
    refused(403, 'Forbidden', `${head}spec.kubernetes.version: Unsupported value: "1.10"`),
    'CLUSTER_REJECTED',
  ],
  ['a quota', refused(403, 'Forbidden', `${head}quota limits exceeded`), 'CLUSTER_REJECTED'],
  [
    'a missing permission is for the operator',
    refused(403, 'Forbidden', 'shoots.core.gardener.cloud is forbidden: User "sa" cannot create resource "shoots"'),
    'CLUSTER_PROVIDER_FORBIDDEN',
  ],
  [
    'a project that does not exist is for the operator',
    refused(404, 'NotFound', 'namespaces "garden-dve" not found'),
    'CLUSTER_PROVIDER_UNAVAILABLE',
  ],
  ["a proxy's 404 proves nothing", refused(404, 'Unknown', 'HTTP 404: nginx'), undefined],
  ['caches that fill', refused(403, 'Forbidden', `${head}not yet ready to handle request`), undefined],
  [
    'a confirmation not seen yet',
    refused(403, 'Forbidden', `${head}must have a "confirmation.gardener.cloud/deletion" annotation to delete`),
    undefined,
  ],
  ['expired credentials', refused(401, 'Unauthorized', 'Unauthorized'), undefined],
  ['a conflict', refused(409, 'Conflict', 'the object has been modified'), undefined],
  ['too many requests', refused(429, 'TooManyRequests', 'slow down'), undefined],
  [
    "a missing reference that a plug-in calls an error of Gardener's",
    refused(
      500,
      'InternalError',
      'Internal error occurred: could not find referenced cloud profile: cloudprofile.core.gardener.cloud "x" not found',
    ),
    'CLUSTER_REJECTED',
  ],
  [
    'references that cannot be looked up',
    refused(500, 'InternalError', 'Internal error occurred: could not find referenced cloud profile: timeout'),
    undefined,
  ],
  ['a webhook that is down', refused(500, 'InternalError', 'failed calling webhook'), undefined],
  ['no answer', new UnreachableError('connection refused'), undefined],
];

describe('which answers of Gardener are final', () => {
  for (const [because, error, code] of cases) {
    test(`${because}: ${code ?? 'tried again'}`, () => {
      const refusal = refusalOf(error);
      assert.equal(refusal?.code, code);
      if (refusal) assert.equal(refusal.message, error.message, "Gardener's words are kept");
    });
  }
});

describe('what Gardener finds is told at the input it comes from', () => {
  const cause = (field: string, message: string): StatusCause => ({ field, message, reason: 'FieldValueInvalid' });

  test('each cause by itself', () => {
    const causes = [
      cause('spec.provider.workers[0].machine.type', 'Unsupported value: "x"'),
      cause('spec.provider.infrastructureConfig.networks.zones[0]', 'Invalid value'),
      cause('spec.addons', 'Forbidden'),
    ];
    assert.deepEqual(rejectedFields(refused(422, 'Invalid', 'it is invalid', causes)), [
      { path: 'machineType', message: 'spec.provider.workers[0].machine.type: Unsupported value: "x"' },
      {
        path: 'providerSpecificConfig',
        message: 'spec.provider.infrastructureConfig.networks.zones[0]: Invalid value',
      },
      { path: '', message: 'spec.addons: Forbidden' },
    ]);
  });

  test("in a cloud's own words, which begin below its configuration", () => {
    const denied = 'admission webhook "validation.provider-azure.gardener.cloud" denied the request: ';
    for (const [finding, path] of [
      ['[networks.workers: Invalid value: "10.250.0.0/21": field is immutable]', 'workerCidr'],
      ['[networks.zones[1].cidr: Invalid value: "10.250.96.0/19": field is immutable]', 'providerSpecificConfig'],
    ] as const) {
      const message = `${denied}${finding}`;
      assert.deepEqual(rejectedFields(refused(422, '', message)), [{ path, message }]);
    }
  });

  test('without causes, by the field in the sentence', () => {
    const message = `${head}[spec.kubernetes.version: Unsupported value: "1.10": supported values: "1.34.2"]`;
    assert.deepEqual(rejectedFields(refused(403, 'Forbidden', message)), [{ path: 'kubernetesVersion', message }]);
  });
});
