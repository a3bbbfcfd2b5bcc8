import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type GkeStatus, gkeErrorBody } from '../../../landscape/gke/gke-error.ts';
import { gkeErrorFrom } from '../../../src/clusters/gke/gke-error.ts';
import { CredentialsRefused } from '../../../src/clusters/gke/google/credentials-refused.ts';
import { GoogleUnreachable } from '../../../src/clusters/gke/google/google-exchange.ts';
import { refusalOf } from '../../../src/clusters/gke/refusal.ts';

const errorOf = (status: number, body: unknown) => gkeErrorFrom({ status, body });

type Case = readonly [http: number, status: GkeStatus, reason: string | undefined, message: string];
const disabled =
  'Kubernetes Engine API has not been used in project 1 before or it is disabled. Enable it by visiting the console.';
const quota =
  'Insufficient regional quota to satisfy request: resource "CPUS": request requires 12.0 and is short 4.0. project has a quota of 8.0.';
const perMinute = "Quota exceeded for quota metric 'Requests' and limit 'Requests per minute' of service 'container'.";
const actAs = 'The user does not have access to service account "default". Ask a project owner to grant you access.';

/** All of them as Google's API answers them; the expectation says whether anything but waiting can help. */
const permanent: readonly [...Case, code: string, words: RegExp][] = [
  [
    401,
    'UNAUTHENTICATED',
    'ACCESS_TOKEN_EXPIRED',
    'Request had invalid authentication credentials.',
    'CREDENTIALS_REFUSED',
    /new key/,
  ],
  [403, 'PERMISSION_DENIED', 'SERVICE_DISABLED', disabled, 'CLUSTER_REJECTED', /gcloud services enable container/],
  [
    403,
    'PERMISSION_DENIED',
    undefined,
    'Required "container.clusters.create" permission(s) for "projects/p".',
    'CREDENTIALS_REFUSED',
    /container\.clusters\.create.*roles\/container\.admin/,
  ],
  [403, 'PERMISSION_DENIED', undefined, quota, 'CLUSTER_REJECTED', /short 4\.0/],
  [400, 'INVALID_ARGUMENT', undefined, actAs, 'CREDENTIALS_REFUSED', /Grant the role Service Account User/],
  [400, 'INVALID_ARGUMENT', undefined, 'Master version "1.13" is unsupported.', 'CLUSTER_REJECTED', /1\.13/],
  [404, 'NOT_FOUND', undefined, 'Not found: projects/p.', 'CLUSTER_REJECTED', /Not found/],
];
const transient: readonly Case[] = [
  [403, 'PERMISSION_DENIED', 'RATE_LIMIT_EXCEEDED', perMinute],
  [403, 'PERMISSION_DENIED', undefined, perMinute],
  [429, 'RESOURCE_EXHAUSTED', 'RATE_LIMIT_EXCEEDED', perMinute],
  [
    400,
    'FAILED_PRECONDITION',
    'CLUSTER_ALREADY_HAS_OPERATION',
    'Operation operation-1 is currently upgrading cluster c.',
  ],
  [400, 'FAILED_PRECONDITION', undefined, 'Cluster is running incompatible operation operation-1.'],
  [409, 'ABORTED', undefined, 'Please retry.'],
  [500, 'INTERNAL', undefined, 'Internal error.'],
  [503, 'UNAVAILABLE', undefined, 'The service is currently unavailable.'],
];

for (const [http, status, reason, message, code, words] of permanent) {
  test(`${http} ${reason ?? status}, "${message.slice(0, 40)}", is final: ${code}`, () => {
    const failure = refusalOf(errorOf(http, gkeErrorBody({ status, message, reason })));
    assert.equal(failure?.code, code);
    assert.match(failure.message, words);
    assert.ok(failure.message.startsWith(message), "Google's own words come first");
    assert.equal(failure.component, 'google kubernetes engine');
    assert.doesNotMatch(failure.nextStep ?? '', /Gardener/);
  });
}

for (const [http, status, reason, message] of transient) {
  test(`${http} ${reason ?? status}, "${message.slice(0, 40)}", heals`, () => {
    assert.equal(refusalOf(errorOf(http, gkeErrorBody({ status, message, reason }))), undefined);
  });
}

test('an answer that says when to come back is believed', () => {
  const retryInfo = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '1.5s' };
  const body = { error: { code: 429, status: 'RESOURCE_EXHAUSTED', message: perMinute, details: [retryInfo] } };
  assert.equal(errorOf(429, body).retryAfterMilliseconds, 1_500);
  assert.equal(gkeErrorFrom({ status: 503, body: undefined, retryAfterMilliseconds: 7 }).retryAfterMilliseconds, 7);
});

test('a refusal without a reason of Google has ours, which is not that of Gardener', () => {
  const failure = refusalOf(errorOf(404, { error: { status: 'NOT_FOUND', message: 'Not found: projects/p.' } }));
  assert.equal(failure?.reason, 'err_gke_rejected');
});

test('a page of a gateway proves nothing, and a silent Google is asked again', () => {
  assert.equal(refusalOf(errorOf(404, undefined)), undefined);
  assert.equal(refusalOf(errorOf(502, 'bad gateway')), undefined);
  assert.equal(refusalOf(new GoogleUnreachable('no answer')), undefined);
});

test('a refused key names the account and what to do', () => {
  const failure = refusalOf(new CredentialsRefused({ email: 'a@b.example', words: 'Invalid JWT Signature.' }));
  assert.equal(failure?.code, 'CREDENTIALS_REFUSED');
  assert.match(failure.message, /key of a@b\.example: Invalid JWT Signature\. \(the key was deleted or disabled/);
});
