import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { OperationKind } from '../../src/domain/operation.ts';
import { eventually } from '../harness/eventually.ts';
import { type ControlledOperation, cancelMutation, controlledQuery, retryMutation } from './control-documents.ts';
import { type Held, type HoldBy, holdStage, isHeld, waysToHold } from './hold-stage.ts';
import { begin, kindsOf, type Life, lives, prepared, provisionSubject, type Subject } from './lives.ts';
import { holdsOf, type StageHold } from './stage-holds.ts';
import { openWorld } from './world.ts';

/** For a longer search, or for the one that failed, whose seed is printed. */
const { TEST_CANCEL_RUNS: numRuns = '3', TEST_CANCEL_SEED: seed } = process.env;

const world = await openWorld();
const { control } = world;

interface Case {
  readonly life: Life;
  readonly kind: OperationKind;
  readonly hold: StageHold;
  readonly by: HoldBy;
  /** What the retry meets in the same stage, before it is cancelled, too. */
  readonly again: HoldBy | undefined;
}

const stages = lives.flatMap((life) =>
  kindsOf[life].flatMap((kind) => holdsOf(life, kind).map((hold) => ({ life, kind, hold }))),
);
const held = stages.filter(({ hold }) => waysToHold(hold).length > 0);
const anyCase = fc.constantFrom(...held).chain(({ life, kind, hold }) => {
  const by = fc.constantFrom(...waysToHold(hold));
  const again = fc.option(by, { nil: undefined, freq: 2 });
  const shown = { life, kind, stage: hold.stage };
  return fc.record({ by, again }).map((ways) => ({ ...ways, ...shown, hold, toJSON: () => ({ ...shown, ...ways }) }));
});

function whatIsThere({ life, name, runtimeId }: Subject) {
  const { shoots, directorRuntimes } = control.inventory();
  const clusters = life === 'gke' ? control.googleInventory().clusters : shoots;
  return {
    cluster: clusters.some((each) => each.name === name),
    entry: directorRuntimes.some(({ id }) => id === runtimeId),
  };
}
type WhatIsThere = ReturnType<typeof whatIsThere>;

function assertHonest(
  { state, stage, lastError, cancellation }: ControlledOperation,
  subject: Subject,
  [before, after]: readonly [WhatIsThere, WhatIsThere],
  mayBeBlind: boolean,
): void {
  assert.ok(cancellation, 'it tells what became of the cancellation');
  if (cancellation.outcome === 'TooLate') {
    assert.notEqual(lastError?.code, 'OPERATION_CANCELLED');
    return;
  }
  assert.deepEqual([state, lastError?.code], ['Failed', 'OPERATION_CANCELLED']);
  const { residue } = cancellation;
  assert.equal(cancellation.outcome, residue.length === 0 ? 'Clean' : 'Residue');
  const told = residue.join('\n');
  const { name, life, runtimeId } = subject;
  const line = `cluster ${name} (${life === 'gke' ? 'gke' : 'gardener'}): `;
  const clusterTold = told.includes(`${line}${life === 'gke' ? 'GKE cluster' : 'Shoot'}`);
  const clusterUnknown = told.includes(`${line}unknown`);
  const mayAppear = told.includes(`${line}not there yet`);
  const entryTold = told.includes(`Director entry ${runtimeId}: exists`);
  const entryUnknown = told.includes(`Director entry ${runtimeId}: unknown`);
  assert.ok(mayBeBlind || !(clusterUnknown || entryUnknown), `nobody was silent, but: ${told}`);
  assert.ok(!clusterTold || before.cluster || after.cluster, `there is no cluster, but: ${told}`);
  assert.ok(!after.cluster || clusterTold || clusterUnknown || mayAppear, `there is a cluster, but: ${told}`);
  assert.ok(!mayAppear || stage === 'CreatingCluster', `no creation was cut off, but: ${told}`);
  assert.ok(!entryTold || before.entry, `there is no entry, but: ${told}`);
  assert.ok(!after.entry || entryTold || entryUnknown, `there is an entry, but: ${told}`);
}

async function cancelThere(id: string, { kind, hold, by }: Case, holding: Held, subject: Subject, mayBeBlind: boolean) {
  await eventually(`${kind} is held in ${hold.stage} by ${by}`, async () => {
    const seen = await world.operation(id);
    const isFate = by === 'stuck' || by === 'failed';
    return seen.state !== 'InProgress' || (isFate ? isHeld(seen, hold.stage) : holding.hasStruck());
  });
  const before = whatIsThere(subject);
  await world.api.ask(cancelMutation, { id });
  await world.ended(id);
  const after = whatIsThere(subject);
  const answer = await world.api.ask<{ runtimeOperationStatus: ControlledOperation }>(controlledQuery, { id });
  assertHonest(
    {
      ...answer.runtimeOperationStatus,
      cancellation: answer.runtimeOperationStatus.cancellation ?? { outcome: 'TooLate', residue: [] },
    },
    subject,
    [before, after],
    mayBeBlind,
  );
  return answer.runtimeOperationStatus;
}

/** A request that somebody else's fault gets in the way of is sent again. */
const accepted = <Answer>(ask: () => Promise<Answer>) => eventually('it is accepted', ask);

async function uidOf({ life, name }: Subject): Promise<string | undefined> {
  return life === 'gke' ? undefined : (await world.shoot(name))?.metadata.uid;
}

const shootUid = (uid: string | undefined, now: string | undefined) =>
  assert.ok(uid === undefined || now === undefined || uid === now, 'there was a second Shoot');

let names = 0;

async function live(each: Case, mayBeBlind: boolean): Promise<void> {
  const { life, kind, hold, by, again } = each;
  names += 1;
  const name = `case-${names}`;
  const nobody = { life, name, runtimeId: '' };
  const known = kind === 'Provision' ? undefined : await accepted(() => prepared(world, life, name, kind));
  const rule = by === 'stuck' || by === 'failed' ? undefined : hold.requests?.(nobody);
  // A request to the Director names the Runtime, which has no id yet; it comes late in the flow.
  const isLate = known === undefined && rule?.target === 'director';
  const early = isLate ? undefined : holdStage(control, hold, known ?? nobody, by);
  const { id, subject } =
    known === undefined
      ? await accepted(() => provisionSubject(world, life, name))
      : { id: await accepted(() => begin(world, kind as Exclude<OperationKind, 'Provision'>, known)), subject: known };
  const chain = [id];
  let holding = early ?? holdStage(control, hold, subject, by);
  let last = await cancelThere(id, each, holding, subject, mayBeBlind);
  const uid = await uidOf(subject);
  for (const next of [again, undefined]) {
    if (last.state === 'Succeeded') break;
    const meanwhile = next && holdStage(control, hold, subject, next);
    holding.lift();
    const { retryOperation: retried } = await accepted(() =>
      world.api.ask<{ retryOperation: ControlledOperation }>(retryMutation, { id: last.id }),
    );
    assert.deepEqual([retried.operation, retried.retryOf, retried.stage], [kind, last.id, last.stage]);
    chain.push(retried.id);
    if (next === undefined || meanwhile === undefined) {
      await world.succeeded(retried.id);
      break;
    }
    holding = meanwhile;
    last = await cancelThere(retried.id, { ...each, by: next }, holding, subject, mayBeBlind);
  }
  holding.lift();
  await assertOnce(chain, each, subject);
  if (kind !== 'Deprovision') {
    shootUid(uid, await uidOf(subject));
    await world.succeeded(await accepted(() => world.deprovision(subject.runtimeId)));
  }
  assert.deepEqual(whatIsThere(subject), { cluster: false, entry: false });
}

/** Each stage was finished by one of the operations, and what is made was made once. */
async function assertOnce(chain: readonly string[], { life, kind, by, again }: Case, { name }: Subject): Promise<void> {
  const events = (await Promise.all(chain.map((id) => world.timeline(id)))).flat();
  assert.deepEqual(
    events.filter(({ type }) => type === 'StageDone').map(({ stage }) => stage),
    holdsOf(life, kind).map(({ stage }) => stage),
  );
  if (kind === 'Deprovision') return;
  const entries = control.inventory().directorRuntimes.filter((entry) => entry.name === name);
  assert.equal(entries.length, 1, 'there is one entry in the Director');
  // A GKE cluster whose creation failed is beyond repair.
  const remade = life === 'gke' && (by === 'failed' || again === 'failed');
  const deletions = control
    .requests()
    .filter(({ method, path }) => method === 'DELETE' && new RegExp(`/(shoots|clusters)/${name}(\\?|$)`).test(path));
  assert.ok(remade || deletions.length === 0, 'its cluster was deleted');
}

test('whatever goes wrong when it is cancelled, an operation tells the truth, and a retry repeats nothing', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyCase, { minLength: 6, maxLength: 6 }), async (cases) => {
      // Who is asked to come back later asks nobody else in the meantime.
      const mayBeBlind = cases.some(({ hold, by, again }) => {
        const ways: readonly unknown[] = [by, again];
        return ways.includes('tooMany') || hold.requests?.({ life: 'gke', name: '', runtimeId: '' }).target === 'gke';
      });
      const results = await Promise.allSettled(
        cases.map((each) =>
          live(each, mayBeBlind).catch((error: unknown) => {
            throw new Error(`failed: ${JSON.stringify(each)}`, { cause: error });
          }),
        ),
      );
      control.clearFaults();
      control.clearRequests();
      const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
      if (failures.length > 0)
        throw new AggregateError(
          failures,
          failures.map((error) => `${error.message}: ${error.cause?.stack}`).join('\n'),
        );
    }),
    { numRuns: Number(numRuns), endOnFailure: true, ...(seed !== undefined && { seed: Number(seed) }) },
  );
});
