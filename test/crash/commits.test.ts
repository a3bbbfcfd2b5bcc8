import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import type { CrashPlace } from '../../src/domain/crash-point.ts';
import type { OperationKind } from '../../src/domain/operation.ts';
import { flows } from '../../src/flows/flows.ts';
import { eventually } from '../harness/eventually.ts';
import { testLandscape } from '../harness/landscape.ts';
import { beginnings, type FurtherKind } from './support/beginnings.ts';
import type { Accepted } from './support/caller.ts';
import { type Deployment, openDeployment, type Replica } from './support/deployment.ts';
import { nothing, provisioned, whatExists } from './support/what-exists.ts';

const landscape = await testLandscape();
const { control } = landscape;

/** Every stage is needed: there are administrators and Kyma, and a Director. */
const administrators = ['admin@example.com'];
const registrationPlaces = ['after-registration-intent', 'after-registration'] as const;
/** Stages that a Runtime whose cluster Gardener makes does not need. */
const ofOtherDrivers = ['ReleasingCloudResources'];
const furtherKinds = Object.keys(beginnings) as FurtherKind[];
const kinds: readonly OperationKind[] = ['Provision', ...furtherKinds];

const atOnce = 4;
/** Of a suite; its tests are many. */
const patience = { timeout: 300_000 };
let undisturbed: Readonly<Record<string, readonly string[]>>;

test('every flow has its place in this file', () => {
  const missing = flows.map(({ kind }) => kind).filter((kind) => !kinds.includes(kind));
  assert.deepEqual(missing, [], `add a line for ${missing.join(' and ')} to test/crash/support/beginnings.ts`);
});

test('without a crash, everything is done with a Runtime that can be', async () => {
  undisturbed = await carryThroughLife();
});

// The process that takes over dies at the next commit, and so on: all commits of an operation cost one Runtime.
describe('one process after the other is killed', { concurrency: atOnce, ...patience }, () => {
  for (const kind of kinds) {
    test(`at each commit of ${kind}, which ends as if nothing had happened`, async () => {
      const [first, ...others] = placesOf(kind);
      assert.ok(first, `there is no flow for ${kind}`);
      const deployment = await openDeployment({ landscape });
      const name = `dies-in-${kind.toLowerCase()}`;
      const doomed = await deployment.startReplica({ APP_CRASH_POINT: first });
      const finished = await begin({ deployment, replica: doomed, kind, name });
      await isKilled(doomed, first);
      for (const place of others) {
        await deployment.giveUpSilent();
        await isKilled({ process: deployment.startProcess({ APP_CRASH_POINT: place }) }, place);
      }

      await deployment.giveUpSilent();
      const replica = await deployment.startReplica();
      const { id, runtimeID } = await newestOperation(deployment);
      await replica.succeeded(id);
      assert.deepEqual(await deployment.course(id), undisturbed[kind]);
      await assertNoGap(deployment, id);
      const left = kind === 'Deprovision' ? nothing : provisioned;
      assert.deepEqual(whatExists(control, { runtimeID, name }), left);
      assert.deepEqual(await deployment.counts(), { runtimes: 1, operations: finished + 1, intents: 0 });
      await replica.process.stop();
    });
  }

  for (const place of registrationPlaces) {
    test(`at ${place}, and the sweep leaves no entry in the Director`, async () => {
      const deployment = await openDeployment({ landscape });
      const doomed = await deployment.startReplica({ APP_CRASH_POINT: place });
      const name = place;
      // Its answer is lost with the process.
      void doomed.send({ runtimeInput: { name }, administrators }).catch(() => undefined);
      await isKilled(doomed, place);

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
  assert.equal(control.madeShoots(), kinds.length + registrationPlaces.length + 1);
});

function placesOf(kind: OperationKind) {
  const steps = flows.find((flow) => flow.kind === kind)?.steps ?? [];
  const needed = steps.filter(({ stage }) => !ofOtherDrivers.includes(stage));
  return needed.flatMap(({ stage }) =>
    (['before-commit', 'after-commit'] as const).map((point) => `${point}:${kind}/${stage}` as const),
  );
}

/** Begins an operation whose process dies; the answer may be lost with it. Answers how many came before it. */
async function begin({
  deployment,
  replica,
  kind,
  name,
}: {
  deployment: Deployment;
  replica: Replica;
  kind: OperationKind;
  name: string;
}): Promise<number> {
  const order = { runtimeInput: { name }, administrators };
  if (kind === 'Provision') {
    void replica.send(order).catch(() => undefined);
    return 0;
  }
  const { id, runtimeID } = await replica.provision(order);
  await replica.succeeded(id);
  const { after, begin: beginIt } = beginnings[kind];
  if (after !== undefined) await carryOut({ deployment, replica, runtimeID, kind: after });
  void beginIt(replica, runtimeID).catch(() => undefined);
  return after === undefined ? 1 : 2;
}

async function isKilled({ process }: Pick<Replica, 'process'>, place: CrashPlace): Promise<void> {
  let code: number | undefined;
  void process.exited.then((exitCode) => {
    code = exitCode;
  });
  await eventually(`the process to reach ${place}`, () => code !== undefined);
  assert.equal(code, -1, process.written);
}

/** The course of each operation without a crash. */
async function carryThroughLife(): Promise<Record<string, readonly string[]>> {
  const deployment = await openDeployment({ landscape });
  const replica = await deployment.startReplica();
  const { id, runtimeID } = await replica.provision({ runtimeInput: { name: 'undisturbed' }, administrators });
  await replica.succeeded(id);
  const courses: Record<string, readonly string[]> = { Provision: await deployment.course(id) };
  for (const kind of furtherKinds) {
    courses[kind] = await deployment.course(await carryOut({ deployment, replica, runtimeID, kind }));
    const skipped = courses[kind].flatMap((event) => event.match(/^StageSkipped (\w+)$/)?.[1] ?? []);
    const needed = skipped.filter((stage) => !ofOtherDrivers.includes(stage));
    assert.deepEqual(needed, [], `${kind} is to be begun so that it needs each of its stages`);
  }
  await replica.process.stop();
  return courses;
}

/** Answers the operation's id. */
async function carryOut({
  deployment,
  replica,
  runtimeID,
  kind,
}: {
  deployment: Deployment;
  replica: Replica;
  runtimeID: string;
  kind: FurtherKind;
}): Promise<string> {
  await beginnings[kind].begin(replica, runtimeID);
  const { id } = await newestOperation(deployment);
  await replica.succeeded(id);
  return id;
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
