import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { DirectorUnavailable } from '../../src/director/director-unavailable.ts';
import {
  type RegistrationIntent,
  type RegistrationIntents,
  registerRuntime,
  registrationLabel,
  verifyRegistration,
  withdrawRegistration,
} from '../../src/director/registration.ts';
import { sweepAbandonedRegistrations } from '../../src/director/sweep-abandoned-registrations.ts';
import { Failure, type FailureCode } from '../../src/domain/failures.ts';
import { newRuntimeId } from '../../src/domain/ids.ts';
import { eventually } from '../harness/eventually.ts';
import { silentLog } from '../harness/silent-log.ts';
import { type DirectorWorld, startDirectorWorld, tenantA, tenantB } from './director-world.ts';

/** Intents as the database keeps them, in memory: the rules of claiming them are the database's own tests. */
class RememberedIntents implements RegistrationIntents {
  readonly open = new Map<string, RegistrationIntent>();

  async record(intent: RegistrationIntent): Promise<void> {
    this.open.set(intent.id, intent);
  }

  async settle(id: string): Promise<void> {
    this.open.delete(id);
  }

  async abandoned(): Promise<readonly RegistrationIntent[]> {
    return [...this.open.values()];
  }
}

const registration = { name: 'one', description: undefined, labels: { team: 'a' } };
const signal = new AbortController().signal;
let world: DirectorWorld;
let intents: RememberedIntents;

before(async () => {
  world = await startDirectorWorld();
});
after(() => world.stop());
beforeEach(() => {
  intents = new RememberedIntents();
});
afterEach(() => {
  world.faults.clear();
  for (const { id, tenant } of entries()) world.director.runtimes.unregister(tenant, id);
});

const entries = () => world.director.runtimes.all();
const register = (tenant = tenantA) =>
  registerRuntime({ director: world.client, intents, tenant, registration, signal, log: silentLog });
const registering = { target: 'director', body: 'registerRuntime' } as const;
const lookingUp = { target: 'director', body: 'runtimes\\(' } as const;
const internalError = {
  kind: 'status',
  status: 200,
  body: {
    data: null,
    errors: [{ message: 'Internal Server Error', extensions: { error_code: 10, error: 'InternalError' } }],
  },
} as const;

function sweep(later = 0) {
  const clock = { now: () => Date.now() + later };
  return sweepAbandonedRegistrations({ director: world.client, intents, clock, log: silentLog, signal });
}

function failsWith(code: FailureCode) {
  return (error: unknown) => {
    assert.ok(error instanceof Failure, String(error));
    assert.equal(error.code, code, error.message);
    return true;
  };
}

test('a registration carries its intent, which stays until the Runtime is stored', async () => {
  const { id, intentId } = await register();
  const [entry] = entries();
  assert.equal(entry?.id, id);
  assert.equal(entry?.labels[registrationLabel], intentId);
  assert.equal(entry?.labels.team, 'a');
  assert.deepEqual([...intents.open.keys()], [intentId]);
});

test('whatever goes wrong for a moment, there is exactly one entry, and it is the one that is answered', async () => {
  const cases: { reason: string; prepare: () => void }[] = [
    {
      reason: 'the reply is lost after the effect',
      prepare: () => world.faults.add({ ...registering, count: 1, action: { kind: 'loseReply' } }),
    },
    {
      reason: 'the reply is lost, and the first look-up fails',
      prepare: () => {
        world.faults.add({ ...registering, count: 1, action: { kind: 'loseReply' } });
        world.faults.add({ ...lookingUp, count: 1, action: { kind: 'drop' } });
      },
    },
    {
      reason: 'an internal error before the effect',
      prepare: () => world.faults.add({ ...registering, count: 1, action: internalError }),
    },
    {
      reason: 'the Director is too busy for a second',
      prepare: () =>
        world.faults.add({
          ...registering,
          count: 1,
          action: { kind: 'status', status: 429, headers: { 'retry-after': '1' } },
        }),
    },
    {
      reason: 'the token was revoked',
      prepare: () => world.accessTokens.revokeAll(),
    },
    {
      reason: 'the token endpoint is down for a moment',
      prepare: () => {
        world.accessTokens.revokeAll();
        world.faults.add({ target: 'oauth', count: 1, action: { kind: 'drop' } });
      },
    },
  ];
  for (const { reason, prepare } of cases) {
    prepare();
    const { id } = await register();
    assert.deepEqual(
      entries().map((entry) => entry.id),
      [id],
      reason,
    );
    world.director.runtimes.unregister(tenantA, id);
    world.faults.clear();
  }
});

test('a registration of which nothing is known is refused and left to the sweeper', async () => {
  world.faults.add({ ...registering, count: 1, action: { kind: 'drop' } });
  await assert.rejects(register(), failsWith('DIRECTOR_UNAVAILABLE'));
  assert.equal(intents.open.size, 1);
  assert.equal(entries().length, 0);
  // It takes effect after the caller was refused.
  const [intent] = intents.open.values();
  world.director.runtimes.register(tenantA, { name: 'one', labels: { [registrationLabel]: intent?.id } });
  assert.deepEqual(await sweep(), { unregistered: 1, settled: 0 });
  assert.equal(entries().length, 0);
});

test('no second registration is sent while the first may still take effect', async () => {
  world.faults.add({ ...registering, action: { kind: 'drop' } });
  world.requests.clear();
  await assert.rejects(register(), failsWith('DIRECTOR_UNAVAILABLE'));
  const [rule] = world.faults.list();
  assert.equal(rule?.hits, 1);
});

test('a registration whose entry cannot be looked up is refused and left to the sweeper', async () => {
  world.faults.add({ ...registering, count: 1, action: { kind: 'loseReply' } });
  world.faults.add({ ...lookingUp, action: { kind: 'status', status: 503 } });
  await assert.rejects(register(), failsWith('DIRECTOR_UNAVAILABLE'));
  world.faults.clear();
  assert.equal(entries().length, 1);
  assert.deepEqual(await sweep(), { unregistered: 1, settled: 0 });
  assert.equal(entries().length, 0);
});

test('what the Director refuses is told in its words and leaves no intent', async () => {
  const refused = { ...registration, name: 'not a name' };
  const call = registerRuntime({
    director: world.client,
    intents,
    tenant: tenantA,
    registration: refused,
    log: silentLog,
  });
  await assert.rejects(call, (error) => {
    assert.ok(error instanceof Failure);
    assert.equal(error.code, 'DIRECTOR_REJECTED');
    assert.match(error.message, /letters, digits/);
    return true;
  });
  assert.equal(intents.open.size, 0);
});

test('a caller who goes away leaves the intent to the sweeper', async () => {
  world.faults.add({ ...registering, count: 1, action: { kind: 'delay', milliseconds: 500 } });
  const controller = new AbortController();
  const call = registerRuntime({
    director: world.client,
    intents,
    tenant: tenantA,
    registration,
    signal: controller.signal,
    log: silentLog,
  });
  const refused = assert.rejects(call, /gone/);
  await eventually('the registration has arrived', () => world.faults.list()[0]?.hits === 1);
  controller.abort(new Error('gone'));
  await refused;
  assert.equal(intents.open.size, 1);
  await eventually('the registration is made all the same', () => entries().length === 1);
});

test('an intent is settled only when no registration of it can appear any more', async () => {
  await register();
  assert.deepEqual(await sweep(9 * 60_000), { unregistered: 1, settled: 0 });
  assert.equal(intents.open.size, 1);
  assert.deepEqual(await sweep(10 * 60_000 + 1_000), { unregistered: 0, settled: 1 });
  assert.equal(intents.open.size, 0);
});

test('one intent that cannot be swept does not keep the others', async () => {
  await register();
  await register();
  world.faults.add({ ...lookingUp, count: 1, action: { kind: 'drop' } });
  assert.deepEqual(await sweep(11 * 60_000), { unregistered: 1, settled: 1 });
  assert.equal(intents.open.size, 1);
  assert.equal(entries().length, 1);
});

test('a sweep touches no entry but that of its intent', async () => {
  const mine = await register();
  world.director.runtimes.register(tenantA, { name: 'one', labels: { team: 'a' } });
  world.director.runtimes.register(tenantB, { name: 'one', labels: { [registrationLabel]: mine.intentId } });
  assert.deepEqual(await sweep(), { unregistered: 1, settled: 0 });
  assert.equal(entries().length, 2);
});

test('a registration is withdrawn with its intent', async () => {
  const registered = await register();
  await withdrawRegistration({ director: world.client, intents, registered, tenant: tenantA, signal });
  assert.equal(entries().length, 0);
  assert.equal(intents.open.size, 0);
});

test("a caller's own registration must exist, in the caller's tenant", async () => {
  const { id } = await register();
  await verifyRegistration({ director: world.client, id, tenant: tenantA });
  const foreign = verifyRegistration({ director: world.client, id, tenant: tenantB });
  await assert.rejects(foreign, failsWith('DIRECTOR_RUNTIME_NOT_FOUND'));
  const unknown = verifyRegistration({ director: world.client, id: newRuntimeId(), tenant: tenantA });
  await assert.rejects(unknown, failsWith('DIRECTOR_RUNTIME_NOT_FOUND'));
  world.faults.add({ target: 'director', action: { kind: 'drop' } });
  const unanswered = verifyRegistration({ director: world.client, id, tenant: tenantA });
  await assert.rejects(unanswered, (error) => {
    assert.ok(error instanceof Failure && error.code === 'DIRECTOR_UNAVAILABLE');
    assert.ok(error.cause instanceof DirectorUnavailable);
    return true;
  });
});

test('50 registrations at once with lost replies end in 50 entries', async () => {
  world.faults.add({ ...registering, probability: 0.5, action: { kind: 'loseReply' } });
  const all = await Promise.all(Array.from({ length: 50 }, () => register()));
  assert.deepEqual(new Set(entries().map(({ id }) => id)), new Set(all.map(({ id }) => id as string)));
  assert.equal(entries().length, 50);
});
