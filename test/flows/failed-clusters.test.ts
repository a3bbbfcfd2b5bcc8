import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { errorCodes, type ShootErrorCode } from '../../landscape/garden/shoot-fates.ts';
import { orderOf } from './orders.ts';
import { openWorld } from './world.ts';

const world = await openWorld();
const { control } = world;

/** Gardener goes on by itself after this one. */
type FinalCode = Exclude<ShootErrorCode, 'ERR_INFRA_RATE_LIMITS_EXCEEDED'>;

/** Who must act, what helps, and a part of what the cloud says. */
const expectations: Readonly<Record<FinalCode, { actor: 'caller' | 'provider'; advice: RegExp; words: RegExp }>> = {
  ERR_INFRA_UNAUTHENTICATED: { actor: 'caller', advice: /renew/, words: /Error 401: .*invalid authentication/ },
  ERR_INFRA_UNAUTHORIZED: { actor: 'caller', advice: /grant/, words: /'compute\.networks\.create' permission/ },
  ERR_INFRA_QUOTA_EXCEEDED: { actor: 'caller', advice: /quota .* raise it/, words: /Quota 'CPUS' exceeded/ },
  ERR_INFRA_DEPENDENCIES: { actor: 'caller', advice: /in the way/, words: /already being used by/ },
  ERR_RETRYABLE_INFRA_DEPENDENCIES: { actor: 'provider', advice: /not available/, words: /RetryableError/ },
  ERR_INFRA_RESOURCES_DEPLETED: { actor: 'provider', advice: /no capacity/, words: /ZONE_RESOURCE_POOL_EXHAUSTED/ },
  ERR_CLEANUP_CLUSTER_RESOURCES: { actor: 'caller', advice: /remove them/, words: /object\(s\) with finalizers/ },
  ERR_CONFIGURATION_PROBLEM: { actor: 'caller', advice: /change it/, words: /InvalidParameterCombination/ },
  ERR_RETRYABLE_CONFIGURATION_PROBLEM: { actor: 'caller', advice: /change it/, words: /zero voluntary evictions/ },
  ERR_PROBLEMATIC_WEBHOOK: { actor: 'caller', advice: /webhook/, words: /"validate\.example\.com" is problematic/ },
};

describe('a Shoot on which Gardener gave up fails the operation, for the reason that the cloud gave', () => {
  for (const code of errorCodes) {
    if (code === 'ERR_INFRA_RATE_LIMITS_EXCEEDED') continue;
    const { actor, advice, words } = expectations[code];

    test(`${code}: the ${actor} must act; deprovisioning works from there`, async () => {
      const name = `shoot-${errorCodes.indexOf(code)}`;
      control.setShootFate(name, { kind: 'failed', codes: [code] });
      const { id, runtimeID } = await world.provision(orderOf({ gardenerConfig: { name } }));
      const { message, lastError, errors, stage } = await world.failed(id);
      assert.match(message, /^cluster provisioning failed\. Last Shoot state: Failed, Shoot description: /);
      for (const part of [advice, words]) assert.match(message, part);
      assert.match(lastError?.nextStep ?? '', /^[A-Z].*; then send retryOperation, or deprovisionRuntime\.$/);
      assert.match(lastError?.nextStep ?? '', new RegExp(advice.source, 'i'));
      assert.deepEqual(lastError, {
        errMessage: message,
        reason: code,
        component: 'gardener',
        code: actor === 'caller' ? 'CLUSTER_FAILED' : 'CLUSTER_FAILED_PROVIDER',
        actor,
        retryable: actor === 'provider',
        nextStep: lastError?.nextStep,
      });
      assert.deepEqual(errors, [{ message }]);
      assert.equal(stage, 'WaitingForClusterCreation');
      assert.deepEqual(
        control.inventory().directorRuntimes.map(({ condition }) => condition),
        ['FAILED'],
      );
      assert.equal((await world.timeline(id)).at(-1)?.error?.code, lastError?.code);

      await world.succeeded(await world.deprovision(runtimeID));
      assert.deepEqual(control.inventory(), { shoots: [], clusters: [], directorRuntimes: [] });
    });
  }

  test('without a code the words of Gardener are what there is', async () => {
    control.setShootFate('codeless', { kind: 'failed', description: 'out of luck' });
    const { id, runtimeID } = await world.provision(orderOf({ gardenerConfig: { name: 'codeless' } }));
    const { message, lastError } = await world.failed(id);
    assert.match(message, /out of luck/);
    assert.deepEqual([lastError?.reason, lastError?.actor], ['err_gardener_cluster_failed', 'provider']);
    assert.match(lastError?.nextStep ?? '', /^Send retryOperation later; .* whoever runs Gardener\.$/);
    await world.succeeded(await world.deprovision(runtimeID));
  });
});

test('a deletion on which Gardener gave up fails the operation, and is taken up again by the next one', async () => {
  const { id, runtimeID } = await world.provision(orderOf({ gardenerConfig: { name: 'sticky' } }));
  await world.succeeded(id);
  control.setShootFate('sticky', { kind: 'failed', during: 'Delete', codes: ['ERR_CLEANUP_CLUSTER_RESOURCES'] });
  const first = await world.failed(await world.deprovision(runtimeID));
  assert.match(first.message, /^cluster deletion failed\..*object\(s\) with finalizers.*remove them/);
  assert.deepEqual([first.lastError?.reason, first.lastError?.actor], ['ERR_CLEANUP_CLUSTER_RESOURCES', 'caller']);
  assert.match(first.lastError?.nextStep ?? '', /^Resources in the cluster .*; then send deprovisionRuntime again\.$/);
  const { directorRuntimes } = control.inventory();
  assert.deepEqual(
    directorRuntimes.map(({ condition }) => condition),
    ['FAILED'],
    'it is still registered',
  );

  control.liftShootFate('sticky');
  await world.succeeded(await world.deprovision(runtimeID));
  assert.deepEqual(control.inventory(), { shoots: [], clusters: [], directorRuntimes: [] });
});

test('a deletion that does not come to an end says what is in its way', async () => {
  const { id, runtimeID } = await world.provision(orderOf({ gardenerConfig: { name: 'clinging' } }));
  await world.succeeded(id);
  const codes = ['ERR_CLEANUP_CLUSTER_RESOURCES'] as const;
  control.setShootFate('clinging', { kind: 'error', during: 'Delete', codes, times: 1_000 });
  const deprovisioning = await world.deprovision(runtimeID);
  const says = /^Delete (Error|Processing), .*object\(s\) with finalizers.*: remove them\)$/;
  await world.reaches(deprovisioning, 'the words', ({ message }) => says.test(message));
  control.liftShootFate('clinging');
  await world.succeeded(deprovisioning);
});

test('a cluster that only a rate limit stopped can be deprovisioned, too', async () => {
  control.setShootFate('limited', { kind: 'failed', codes: ['ERR_INFRA_RATE_LIMITS_EXCEEDED'] });
  const { id, runtimeID } = await world.provision(orderOf({ gardenerConfig: { name: 'limited' } }));
  await world.reaches(id, 'the wait', ({ message }) =>
    /rateLimitExceeded.*asks for fewer requests: wait/.test(message),
  );
  const mutation = 'mutation ($id: String!) { deprovisionRuntime(id: $id, cancelRunning: true) }';
  const answer = await world.api.ask<{ deprovisionRuntime: string }>(mutation, { id: runtimeID });
  await world.succeeded(answer.deprovisionRuntime);
  assert.deepEqual(control.inventory().shoots, []);
});
