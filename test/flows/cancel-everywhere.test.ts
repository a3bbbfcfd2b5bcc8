import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { OperationKind } from '../../src/domain/operation.ts';
import { flows } from '../../src/flows/flows.ts';
import { eventually } from '../harness/eventually.ts';
import { cancelBetweenStages } from './cancel-between-stages.ts';
import { type ControlledOperation, cancelMutation, retryMutation } from './control-documents.ts';
import { type Held, holdRequests, holdStage, isHeld, waysToHold } from './hold-stage.ts';
import { begin, kindsOf, type Life, lives, provisionSubject, type Subject } from './lives.ts';
import { holdsOf, type StageHold } from './stage-holds.ts';
import { whatExists } from './what-exists.ts';
import { openWorld } from './world.ts';

const world = await openWorld();
const { control } = world;

test('every stage of every flow is tried', () => {
  for (const { kind, steps } of flows) {
    const held = new Set(lives.flatMap((life) => holdsOf(life, kind).map(({ stage }) => stage)));
    for (const { stage } of steps) assert.ok(held.has(stage), `nothing holds ${kind} in ${stage}`);
  }
});

async function cancel(id: string): Promise<ControlledOperation> {
  return (await world.api.ask<{ cancelOperation: ControlledOperation }>(cancelMutation, { id })).cancelOperation;
}

async function retry(id: string): Promise<ControlledOperation> {
  return (await world.api.ask<{ retryOperation: ControlledOperation }>(retryMutation, { id })).retryOperation;
}

async function checkCancelled(cancelled: ControlledOperation, { stage, tells }: StageHold, subject: Subject) {
  assert.deepEqual(
    [cancelled.state, cancelled.stage, cancelled.lastError],
    ['Failed', stage, { code: 'OPERATION_CANCELLED', actor: 'caller' }],
  );
  const { name, life } = subject;
  const driver = life === 'gke' ? 'gke' : 'gardener';
  const cutOff = `cluster ${name} (${driver}): not there yet, but its creation was cut off and may still take effect`;
  const expected = [
    ...(stage === 'CreatingCluster' ? [cutOff] : []),
    ...(await whatExists(world, subject)),
    ...(tells?.(subject) ?? []),
  ];
  assert.deepEqual(cancelled.cancellation, { outcome: 'Residue', residue: expected });
}

/** Operations that take up each other, the first of them cancelled in the first stage, and so on; the last one succeeds. */
async function cancelInEachStage(life: Life, kind: OperationKind, known: Subject | undefined): Promise<Subject> {
  const chain: string[] = [];
  let subject: Subject = known ?? { life, name: life, runtimeId: '' };
  let held: Held | undefined;

  async function takeUp(): Promise<string> {
    const last = chain.at(-1);
    let id: string;
    if (last !== undefined) {
      const before = await world.operation(last);
      const retried = await retry(last);
      assert.deepEqual([retried.operation, retried.retryOf, retried.stage], [kind, last, before.stage]);
      id = retried.id;
    } else if (kind === 'Provision') {
      const accepted = await provisionSubject(world, life, life);
      ({ id, subject } = accepted);
    } else id = await begin(world, kind, subject);
    chain.push(id);
    return id;
  }

  const holds = holdsOf(life, kind);
  for (const hold of holds) {
    const { stage, before, beforeRetry: count } = hold;
    if (before !== undefined) {
      held?.lift();
      let cancelled: ControlledOperation;
      do {
        // The first rule that matches a request decides.
        if (count) control.addFault({ ...before(subject), count, action: { kind: 'delay', milliseconds: 0 } });
        const stalled = holdRequests(control, before(subject), 'silent');
        const operationId = await takeUp();
        await eventually(`a request before ${stage}`, stalled.hasStruck);
        const cancelling = { operationId, cancel: () => cancel(operationId), endStage: stalled.lift };
        cancelled = await cancelBetweenStages(world, cancelling);
        // Where one look did not end the stage before, it is taken up again.
      } while (cancelled.stage !== stage && chain.length < 3 * holds.length);
      await checkCancelled(cancelled, hold, subject);
      continue;
    }
    const [by] = waysToHold(hold);
    assert.ok(by, `${stage} cannot be held`);
    const next = holdStage(control, hold, subject, by);
    held?.lift();
    held = next;
    const id = await takeUp();
    await world.reaches(id, stage, (seen) => isHeld(seen, stage));
    await checkCancelled(await cancel(id), hold, subject);
  }
  held?.lift();
  await world.succeeded(await takeUp());

  const done = (await Promise.all(chain.map((id) => world.timeline(id))))
    .flat()
    .filter(({ type }) => type === 'StageDone');
  assert.deepEqual(
    done.map(({ stage }) => stage),
    holds.map(({ stage }) => stage),
    'each stage is finished once, by one of the operations',
  );
  return subject;
}

describe('cancelled in each of its stages and taken up again, an operation tells what is left and repeats nothing', {
  concurrency: lives.length,
}, () => {
  for (const life of lives) {
    describe(life, { concurrency: 1 }, () => {
      let subject: Subject | undefined;
      for (const kind of kindsOf[life]) {
        test(kind, async () => {
          subject = await cancelInEachStage(life, kind, subject);
        });
      }
    });
  }
});

after(() => {
  const { clusters, directorRuntimes, shoots } = control.inventory();
  assert.deepEqual([clusters, directorRuntimes, shoots], [[], [], []]);
  assert.deepEqual(control.googleInventory(), { clusters: [], resources: [] });
});
