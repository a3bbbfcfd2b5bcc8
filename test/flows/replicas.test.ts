import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../harness/eventually.ts';
import { graphqlClient } from '../harness/graphql-client.ts';
import { deprovisionMutation, provisionMutation } from './documents.ts';
import { orderOf } from './orders.ts';
import { type Accepted, openWorld } from './world.ts';

const world = await openWorld();
const { control } = world;
const second = await world.startService();
const apis = [world.service, second].map(({ url }) =>
  graphqlClient({ endpoint: `${url}/graphql`, tenant: 'tenant-a' }),
);
/** More than one service claims at once. */
const count = 60;

test('two services on one database share sixty Runtimes: each is made once, and removed', async () => {
  for (const { url } of [world.service, second]) {
    await eventually(`${url} to be ready`, async () => (await fetch(`${url}/readyz`)).ok);
  }
  // What is shared is the making of clusters; Kyma on each of them would only take time.
  const order = orderOf({ kymaConfig: null });
  const turns = Array.from({ length: count }, (_, index) => apis[index % apis.length]);
  const accepted = await Promise.all(
    turns.map(async (api) => {
      const answer = await api?.ask<{ provisionRuntime: Accepted }>(provisionMutation, { config: order });
      assert.ok(answer);
      return answer.provisionRuntime;
    }),
  );
  for (const { id } of accepted) await world.succeeded(id);

  const { shoots, clusters, directorRuntimes } = control.inventory();
  const runtimeIds = accepted.map(({ runtimeID }) => runtimeID).sort();
  const owners = shoots.map(({ annotations }) => annotations['kcp.provisioner.kyma-project.io/runtime-id']).sort();
  assert.deepEqual(owners, runtimeIds);
  assert.equal(clusters.length, count);
  assert.deepEqual(directorRuntimes.map(({ id }) => id).sort(), runtimeIds);
  const created = control.requests('garden').filter(({ method, path, status }) => {
    return method === 'POST' && /\/shoots\?(?!.*dryRun)/.test(path) && status === 201;
  });
  assert.equal(created.length, count);
  await eachHistoryEndsOnce(accepted.map(({ id }) => id));
  const ended = await Promise.all(
    accepted.map(async ({ runtimeID }, index) => {
      // The other service than the one that accepted it.
      const api = apis[(index + 1) % apis.length];
      const answer = await api?.ask<{ deprovisionRuntime: string }>(deprovisionMutation, { id: runtimeID });
      return answer?.deprovisionRuntime ?? '';
    }),
  );
  for (const id of ended) await world.succeeded(id);
  await eachHistoryEndsOnce(ended);
  for (const { logged } of [world.service, second]) {
    assert.ok(
      logged.some((line) => line.includes('"msg":"operation claimed"')),
      'both services work',
    );
  }
  assert.deepEqual(control.inventory(), { shoots: [], clusters: [], directorRuntimes: [] });
});

async function eachHistoryEndsOnce(ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const types = (await world.timeline(id)).map(({ type }) => type);
    assert.deepEqual([types[0], types.at(-1)], ['Accepted', 'Succeeded']);
    const done = (await world.timeline(id)).filter(({ type }) => type === 'StageDone').map(({ stage }) => stage);
    assert.equal(new Set(done).size, done.length, `a stage of ${id} was done twice`);
  }
}
