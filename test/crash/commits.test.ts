import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import type { CrashPlace } from '../../src/domain/crash-point.ts';
import { flows } from '../../src/flows/flows.ts';
import { eventually } from '../harness/eventually.ts';
import { testLandscape } from '../harness/landscape.ts';
import type { Accepted } from './support/caller.ts';
import { type Deployment, openDeployment, type Replica } from './support/deployment.ts';
import { createdShoots, nothing, provisioned, whatExists } from './support/what-exists.ts';

const landscape = await testLandscape();
const { control } = landscape;

/** Every stage is needed: there are administrators and Kyma, and a Director. */
const administrators = ['admin@example.com'];
const registrationPlaces = ['after-registration-intent', 'after-registration'] as const;
const commitPlaces = flows.flatMap(({ kind, steps }) =>
  steps.flatMap(({ stage }) =>
    (['before-commit', 'after-commit'] as const).map((point) => ({
      kind,
      place: `${point}:${kind}/${stage}` as const,
    })),
  ),
);

/** What is left after a crash. */
interface Wreck {
  readonly deployment: Deployment;
  /** What the Runtime was ordered under. */
  readonly name: string;
}

const atOnce = 4;
/** Of a suite; its tests are many. */
const patience = { timeout: 220_000 };
const wrecks = new Map<CrashPlace, Wreck>();
let undisturbed: Readonly<Record<string, readonly string[]>>;

test('without a crash, a Runtime is provisioned and deprovisioned', async () => {
  undisturbed = await carryThroughLife();
});

// All crash before any goes on, so that the lease of the dead is waited for once and not each time.
describe('a process is killed', { concurrency: atOnce, ...patience }, () => {
  for (const place of [...registrationPlaces, ...commitPlaces.map(({ place }) => place)]) {
    test(`it dies at ${place}`, async () => {
      wrecks.set(place, await crash(place));
    });
  }
});

describe('another process goes on', { concurrency: atOnce, ...patience }, () => {
  for (const { kind, place } of commitPlaces) {
    test(`after a kill ${place}, the ${kind} ends as if nothing had happened`, async () => {
      const { deployment, name } = wreckOf(place);
      const replica = await deployment.startReplica();
      const { id, runtimeID } = await newestOperation(deployment);
      await replica.succeeded(id);
      assert.deepEqual(await deployment.course(id), undisturbed[kind]);
      await assertNoGap(deployment, id);
      if (kind === 'Provision') {
        assert.deepEqual(whatExists(control, { runtimeID, name }), provisioned);
        await replica.succeeded(await replica.deprovision(runtimeID));
      }
      assert.deepEqual(whatExists(control, { runtimeID, name }), nothing);
      assert.deepEqual(await deployment.counts(), { runtimes: 1, operations: 2, intents: 0 });
      await replica.process.stop();
    });
  }

  for (const place of registrationPlaces) {
    test(`after a kill ${place}, the sweep leaves no entry in the Director`, async () => {
      const { deployment, name } = wreckOf(place);
      const entries = () => control.inventory().directorRuntimes.filter((entry) => entry.name === name).length;
      assert.equal(entries(), place === 'after-registration' ? 1 : 0);
      assert.deepEqual(await deployment.counts(), { runtimes: 0, operations: 0, intents: 1 });
      // As if it had happened so long ago that nothing of it can be under way any more.
      await sql`UPDATE registration_intent SET recorded_at = recorded_at - interval '15 minutes'`.execute(
        deployment.stored.kysely,
      );
      const replica = await deployment.startReplica();
      await eventually('the sweep', async () => (await deployment.counts()).intents === 0);
      assert.equal(entries(), 0);
      const { id, runtimeID } = await replica.provision({ runtimeInput: { name } });
      await replica.succeeded(id);
      assert.deepEqual(whatExists(control, { runtimeID, name }), provisioned);
      await replica.process.stop();
    });
  }
});

test('no Shoot was created twice in all of this', () => {
  // One for each case and one that nothing happened to.
  assert.equal(createdShoots(control), commitPlaces.length + registrationPlaces.length + 1);
});

/** Starts a process that dies at the place, and gives it the work on which it does. */
async function crash(place: CrashPlace): Promise<Wreck> {
  const deployment = await openDeployment({ landscape });
  const replica = await deployment.startReplica({ APP_CRASH_POINT: place });
  const name = place.replaceAll(/\W+/g, '-').toLowerCase();
  const provisioning = replica.send({ runtimeInput: { name }, administrators });
  if (place.includes(':Deprovision/')) {
    const { data } = await provisioning;
    assert.ok(data?.provisionRuntime);
    await replica.succeeded(data.provisionRuntime.id);
    // Its answer may be lost with the process.
    void replica.deprovision(data.provisionRuntime.runtimeID).catch(() => undefined);
  } else {
    void provisioning.catch(() => undefined);
  }
  await isKilled(replica, place);
  return { deployment, name };
}

async function isKilled({ process }: Replica, place: CrashPlace): Promise<void> {
  let code: number | undefined;
  void process.exited.then((exitCode) => {
    code = exitCode;
  });
  await eventually(`the process to reach ${place}`, () => code !== undefined);
  assert.equal(code, -1, process.written);
}

function wreckOf(place: CrashPlace): Wreck {
  const wreck = wrecks.get(place);
  assert.ok(wreck, 'no process was killed there');
  return wreck;
}

/** The course of each operation without a crash. */
async function carryThroughLife(): Promise<Record<string, readonly string[]>> {
  const deployment = await openDeployment({ landscape });
  const replica = await deployment.startReplica();
  const { id, runtimeID } = await replica.provision({ runtimeInput: { name: 'undisturbed' }, administrators });
  await replica.succeeded(id);
  const deprovisionId = await replica.deprovision(runtimeID);
  await replica.succeeded(deprovisionId);
  await replica.process.stop();
  return { Provision: await deployment.course(id), Deprovision: await deployment.course(deprovisionId) };
}

async function newestOperation({ stored }: Deployment): Promise<Accepted> {
  const { rows } = await sql<Accepted>`
    SELECT id, runtime_id AS "runtimeID" FROM operation ORDER BY sequence DESC LIMIT 1`.execute(stored.kysely);
  assert.ok(rows[0], 'no operation was accepted');
  return rows[0];
}

async function assertNoGap(deployment: Deployment, operationId: string): Promise<void> {
  const sequences = await deployment.sequences(operationId);
  assert.deepEqual(
    sequences,
    sequences.map((_, index) => index + 1),
  );
}
