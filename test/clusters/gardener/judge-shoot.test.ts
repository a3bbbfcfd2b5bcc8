import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ClusterObservation } from '../../../src/clusters/cluster-driver.ts';
import { judgeShoot } from '../../../src/clusters/gardener/shoot/judge-shoot.ts';
import { keptShoot } from '../../../src/clusters/gardener/shoot/kept-shoot.ts';
import { isRelevant } from '../../../src/clusters/gardener/shoot/relevant-change.ts';
import { asShoot, type Shoot, type ShootStatus } from '../../../src/clusters/gardener/shoot/shoot.ts';

type LastOperation = NonNullable<ShootStatus['lastOperation']>;

const addresses = [{ name: 'external', url: 'https://api.c.dev.example' }];

/** As the informer keeps it. */
function shoot(status: ShootStatus, metadata: object = {}, spec: object = {}): Shoot {
  const whole = {
    apiVersion: 'core.gardener.cloud/v1beta1',
    kind: 'Shoot',
    metadata: { name: 'c', generation: 2, ...metadata },
    spec: { seedName: 'seed-1', dns: { domain: 'c.dev.example' }, ...spec },
    status: { observedGeneration: 2, advertisedAddresses: addresses, ...status },
  };
  return asShoot(keptShoot(whole));
}

function operation(type: string, state: string, more: Partial<LastOperation> = {}): ShootStatus {
  return { lastOperation: { type, state, progress: 45, description: 'Waiting for nodes.', ...more } };
}

function failed(codes: readonly string[] | undefined): ShootStatus {
  const lastErrors = codes && [{ description: 'quota CPUS is exceeded', codes }];
  return { ...operation('Create', 'Failed'), ...(lastErrors && { lastErrors }) };
}

const deleted = { deletionTimestamp: '2026-08-01T00:00:00Z' };

function asleep(sleep: { wanted: boolean; is: boolean }, status: ShootStatus, metadata: object = {}): Shoot {
  return shoot({ ...status, hibernated: sleep.is }, metadata, { hibernation: { enabled: sleep.wanted } });
}

const cases: readonly (readonly [because: string, shoot: Shoot, state: ClusterObservation['state']])[] = [
  ['created and observed', shoot(operation('Create', 'Succeeded')), 'ready'],
  ['reconciled later', shoot(operation('Reconcile', 'Succeeded')), 'ready'],
  ['restored on another Seed', shoot(operation('Restore', 'Succeeded')), 'ready'],
  [
    'an unmanaged domain has only that address',
    shoot({ ...operation('Create', 'Succeeded'), advertisedAddresses: [{ name: 'unmanaged', url: 'https://a' }] }),
    'ready',
  ],
  ['the newest change is unseen', shoot({ ...operation('Create', 'Succeeded'), observedGeneration: 1 }), 'changing'],
  ['no address yet', shoot({ ...operation('Create', 'Succeeded'), advertisedAddresses: [] }), 'changing'],
  [
    'an address that only the Seed reaches',
    shoot({ ...operation('Create', 'Succeeded'), advertisedAddresses: [{ name: 'internal', url: 'https://a' }] }),
    'changing',
  ],
  ['hibernated as it should be', asleep({ wanted: true, is: true }, operation('Reconcile', 'Succeeded')), 'hibernated'],
  ['about to be hibernated', asleep({ wanted: true, is: false }, operation('Reconcile', 'Succeeded')), 'changing'],
  ['about to wake up', asleep({ wanted: false, is: true }, operation('Reconcile', 'Succeeded')), 'changing'],
  [
    'hibernated, but by an older wish',
    asleep({ wanted: true, is: true }, { ...operation('Reconcile', 'Succeeded'), observedGeneration: 1 }),
    'changing',
  ],
  ['reconciled in its sleep', asleep({ wanted: true, is: true }, operation('Reconcile', 'Processing')), 'changing'],
  [
    'deleted in its sleep',
    asleep({ wanted: true, is: true }, operation('Reconcile', 'Succeeded'), deleted),
    'deleting',
  ],
  ['moved away, not yet restored', shoot(operation('Migrate', 'Succeeded')), 'changing'],
  ['nothing has begun', shoot({}), 'changing'],
  ['at work', shoot(operation('Create', 'Processing')), 'changing'],
  ['an error is retried', shoot(operation('Create', 'Error')), 'changing'],
  ['aborted is retried', shoot(operation('Create', 'Aborted')), 'changing'],
  ['no Seed has room', shoot(operation('Create', 'Pending'), {}, { seedName: undefined }), 'changing'],
  ['a rate limit is retried by Gardener itself', shoot(failed(['ERR_INFRA_RATE_LIMITS_EXCEEDED'])), 'changing'],
  [
    'a rate limit beside another code is not',
    shoot(failed(['ERR_INFRA_RATE_LIMITS_EXCEEDED', 'ERR_INFRA_QUOTA_EXCEEDED'])),
    'failed',
  ],
  [
    'a failure of an older generation is tried again',
    shoot({ ...failed(['ERR_INFRA_QUOTA_EXCEEDED']), observedGeneration: 1 }),
    'changing',
  ],
  ['a code on which Gardener stops', shoot(failed(['ERR_INFRA_UNAUTHORIZED'])), 'failed'],
  ['no code', shoot(failed(undefined)), 'failed'],
  ['a retryable code after the retry period', shoot(failed(['ERR_INFRA_RESOURCES_DEPLETED'])), 'failed'],
  ['deletion asked for', shoot(operation('Create', 'Succeeded'), deleted), 'deleting'],
  ['deletion asked for after a failure', shoot(failed(['ERR_INFRA_QUOTA_EXCEEDED']), deleted), 'deleting'],
  ['deletion at work', shoot(operation('Delete', 'Processing'), deleted), 'deleting'],
  ['deletion succeeded, finalizer still there', shoot(operation('Delete', 'Succeeded'), deleted), 'deleting'],
  ['deletion given up', shoot(operation('Delete', 'Failed'), deleted), 'failed'],
];

describe('decision table', () => {
  for (const [because, given, state] of cases) {
    test(`${because}: ${state}`, () => assert.equal(judgeShoot(given).state, state));
  }
});

test('domain and seed are told in every state', () => {
  for (const [because, given] of cases.filter(([, { spec }]) => spec?.seedName !== undefined)) {
    const { domain, seed } = judgeShoot(given);
    assert.deepEqual({ domain, seed }, { domain: 'c.dev.example', seed: 'seed-1' }, because);
  }
});

const lastErrors = [{ description: 'cannot reach the cloud', codes: ['ERR_RETRYABLE_INFRA_DEPENDENCIES'] }];

test("what is waited for has Gardener's operation, progress, description and errors, and what is in the way", () => {
  const seen = judgeShoot(shoot({ ...operation('Create', 'Error'), lastErrors }));
  assert.ok(seen.state === 'changing');
  const message =
    'Create Error, 45 %: Waiting for nodes. cannot reach the cloud (something in the cloud is not available: wait)';
  const nextStep = 'Something in the cloud is not available: wait; then send retryOperation.';
  assert.deepEqual(
    [seen.message, seen.progress, seen.obstacle],
    [message, 45, { reason: 'ERR_RETRYABLE_INFRA_DEPENDENCIES', nextStep }],
  );
});

test('a deletion that is tried again tells why it did not succeed before; a creation has other words', () => {
  const words = (type: string, metadata = {}) => {
    const seen = judgeShoot(shoot({ ...operation(type, 'Processing'), lastErrors }, metadata));
    return 'message' in seen && seen.message;
  };
  const before = 'The try before failed: cannot reach the cloud (something in the cloud is not available: wait)';
  assert.equal(words('Delete', deleted), `Delete Processing, 45 %: Waiting for nodes. ${before}`);
  assert.equal(words('Create'), 'Create Processing, 45 %: Waiting for nodes.');
});

test("the scheduler's words reach the caller while no Seed is found", () => {
  const description = '0/3 seed cluster candidate(s) are eligible';
  const seen = judgeShoot(shoot(operation('Create', 'Pending', { description }), {}, { seedName: undefined }));
  assert.equal('message' in seen && seen.message, `No Seed is assigned yet: ${description}`);
});

const blame: readonly (readonly [codes: readonly string[] | undefined, actor: string, reason: string])[] = [
  [['ERR_INFRA_UNAUTHENTICATED'], 'caller', 'ERR_INFRA_UNAUTHENTICATED'],
  [['ERR_INFRA_QUOTA_EXCEEDED', 'ERR_INFRA_QUOTA_EXCEEDED'], 'caller', 'ERR_INFRA_QUOTA_EXCEEDED'],
  [['ERR_CONFIGURATION_PROBLEM'], 'caller', 'ERR_CONFIGURATION_PROBLEM'],
  [['ERR_INFRA_RESOURCES_DEPLETED'], 'provider', 'ERR_INFRA_RESOURCES_DEPLETED'],
  [
    ['ERR_INFRA_RESOURCES_DEPLETED', 'ERR_INFRA_DEPENDENCIES'],
    'caller',
    'ERR_INFRA_RESOURCES_DEPLETED,ERR_INFRA_DEPENDENCIES',
  ],
  [['ERR_OF_TOMORROW'], 'provider', 'ERR_OF_TOMORROW'],
  [undefined, 'provider', 'err_gardener_cluster_failed'],
];
for (const [codes, actor, reason] of blame) {
  test(`after ${codes?.join(' and ') ?? 'no code'} the ${actor} has to act`, () => {
    const seen = judgeShoot(shoot(failed(codes)));
    assert.ok(seen.state === 'failed');
    assert.equal(seen.failure.kind.actor, actor);
    assert.equal(seen.failure.reason, reason);
    const known = 'cluster provisioning failed. Last Shoot state: Failed, Shoot description: Waiting for nodes.';
    assert.ok(seen.failure.message.startsWith(known), seen.failure.message);
  });
}

describe('which changes wake an operation', () => {
  const before = shoot(operation('Create', 'Processing'));
  const isWoken = (object: Shoot) => isRelevant({ type: 'modified', object, previous: before });

  test('a condition does not', () => {
    const conditions = [{ type: 'EveryNodeReady', status: 'False' }];
    assert.equal(isWoken({ ...before, status: { ...before.status, conditions } as ShootStatus }), false);
  });
  test('progress does', () => assert.equal(isWoken(shoot(operation('Create', 'Processing', { progress: 46 }))), true));
  test('a domain does', () => assert.equal(isWoken({ ...before, spec: { dns: { domain: 'other' } } }), true));
  test('a deletion does', () =>
    assert.equal(isWoken({ ...before, metadata: { ...before.metadata, ...deleted } }), true));
  test('coming and going do', () => {
    assert.equal(isRelevant({ type: 'added', object: before }), true);
    assert.equal(isRelevant({ type: 'deleted', object: before }), true);
  });
});
