import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { eventually } from '../harness/eventually.ts';
import { retryMutation } from './control-documents.ts';
import { type HoldBy, holdStage, isHeld, waysToHold } from './hold-stage.ts';
import { begin, kindsOf, type Life, lives, prepared, provisionSubject, type Subject } from './lives.ts';
import { holdsOf, type StageHold } from './stage-holds.ts';
import { openWorld } from './world.ts';

const world = await openWorld();
const { control } = world;

/** There is no cluster yet, or it is being deleted anyway; or the stage does not look at it. */
const withoutCluster = ['CreatingCluster', 'WaitForClusterDeletion', 'UnregisteringRuntime', 'UpdatingUpgradeState'];
/** Where an installer of Kyma 1 is what the stage acts through. */
const ofInstaller = [
  'StartingInstallation',
  'WaitingForInstallation',
  'TriggerKymaUninstall',
  'WaitingForKymaUninstall',
];

function casesOf(life: Life) {
  return kindsOf[life].flatMap((kind) =>
    holdsOf(life, kind)
      .filter(({ stage }) => !withoutCluster.includes(stage) && (life !== 'kyma-1' || ofInstaller.includes(stage)))
      .flatMap((hold) => {
        const by = wayToHold(life, hold);
        return by === undefined ? [] : [{ kind, hold, by }];
      }),
  );
}

/** GKE deletes no cluster on which another operation is stuck. */
function wayToHold(life: Life, hold: StageHold): HoldBy | undefined {
  const ways = waysToHold(hold);
  return life === 'gke' && ways.includes('unavailable') ? 'unavailable' : ways[0];
}

async function deleteBehindOurBack({ life, name }: Subject): Promise<void> {
  if (life !== 'gke') return world.deleteShoot(name);
  control.deleteGkeCluster(name);
  await eventually('the cluster is gone', () => !control.googleInventory().clusters.some((each) => each.name === name));
}

async function isMarkedLost({ runtimeId: id }: Subject): Promise<void> {
  const query = 'query ($id: String!) { runtimeStatus(id: $id) { clusterStatus { state } } }';
  await eventually('the Runtime is marked as lost', async () => {
    const answer = await world.api.ask<{ runtimeStatus: { clusterStatus: { state: string } } }>(query, { id });
    return answer.runtimeStatus.clusterStatus.state === 'Lost';
  });
}

let count = 0;

async function lose(life: Life, { kind, hold, by }: ReturnType<typeof casesOf>[number]): Promise<void> {
  count += 1;
  const name = `lost-${count}`;
  const { stage } = hold;
  const nobody = { life, name, runtimeId: '' };
  const known = kind === 'Provision' ? undefined : await prepared(world, life, name, kind);
  // A request to the Director names the Runtime, which has no id yet; it comes late in the flow.
  const isLate = known === undefined && by === 'unavailable' && hold.requests?.(nobody).target === 'director';
  let held = isLate ? undefined : holdStage(control, hold, known ?? nobody, by);
  const accepted =
    kind === 'Provision'
      ? await provisionSubject(world, life, name)
      : { id: await begin(world, kind, known ?? nobody), subject: known ?? nobody };
  const { id, subject } = accepted;
  held ??= holdStage(control, hold, subject, by);
  await world.reaches(id, stage, (seen) => isHeld(seen, stage));
  await deleteBehindOurBack(subject);
  // Nothing tells what has become of it while this is in force.
  if (life === 'gke' && stage === 'WaitingForClusterCreation') held.lift();
  if (kind === 'Deprovision') {
    await world.succeeded(id);
    held.lift();
  } else {
    assert.equal((await world.failed(id)).lastError?.code, 'CLUSTER_LOST');
    held.lift();
    // Only Gardener is watched all the time.
    if (life === 'gardener' && kind === 'Provision') {
      await isMarkedLost(subject);
      const { errors } = await world.api.send(retryMutation, { id });
      assert.equal(errors[0]?.extensions?.code, 'CLUSTER_LOST');
    }
    await world.succeeded(await world.deprovision(subject.runtimeId));
  }
  assert.ok(!control.inventory().directorRuntimes.some((entry) => entry.id === subject.runtimeId));
}

for (const life of lives) {
  describe(`a cluster that somebody deletes (${life}) fails what is at work in it, but keeps nobody from deprovisioning`, {
    concurrency: 6,
  }, () => {
    for (const each of casesOf(life)) {
      test(`${each.kind} in ${each.hold.stage}`, () => lose(life, each));
    }
  });
}

after(() => {
  assert.deepEqual(control.inventory(), { shoots: [], clusters: [], directorRuntimes: [] });
  assert.deepEqual(control.googleInventory(), { clusters: [], resources: [] });
});
