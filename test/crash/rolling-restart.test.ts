import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import {
  runtimeUpdatesDocument,
  type SeenUpdate,
  subscribe,
  type Transport,
  transports,
} from '../api/live/support/live-client.ts';
import { deprovisionMutation, type OperationAnswer, provisionMutation } from '../flows/documents.ts';
import { orderOf } from '../flows/orders.ts';
import { eventually } from '../harness/eventually.ts';
import { testLandscape } from '../harness/landscape.ts';
import type { ServiceProcess } from '../harness/service-process.ts';
import { type Deployment, openDeployment } from './support/deployment.ts';
import { LoadBalancer } from './support/load-balancer.ts';

const landscape = await testLandscape();
const callers = 5;
const stateQuery = 'query ($id: String!) { runtimeOperationStatus(id: $id) { state message } }';
/** Long enough for whoever asks ten times a second, also on a machine that is busy. */
const environment = { APP_SHUTDOWN_DELAY: '2s' };

interface RuntimeData {
  readonly runtimeUpdates: { readonly cursor: string; readonly update: SeenUpdate | null };
}

test('three replicas are replaced in turn under load, and no request is lost, no update missed, no operation stranded', async (t) => {
  const deployment = await openDeployment({ landscape });
  const balancer = new LoadBalancer();
  const start = async () => (await deployment.startReplica(environment)).process;
  const replicas = await Promise.all([start(), start(), start()]);
  for (const process of replicas) balancer.add(process);
  const rolling = { isOver: false };
  const followed = await Promise.all(transports.map((transport) => follow(balancer, transport)));
  const accepted: string[] = [];
  const working = Array.from({ length: callers }, async (_, number) => {
    for (let turn = 0; !rolling.isOver; turn += 1) {
      accepted.push(...(await wholeLife(balancer, `load-${number}-${turn}`)));
    }
  });

  const everybody = Promise.all(working);
  const restarts = (async () => {
    for (const process of replicas) {
      await eventually('a few more lives', growing(accepted, 2 * callers));
      await replace(process, balancer, start);
    }
    await eventually('a few more lives', growing(accepted, 2 * callers));
  })();
  try {
    await Promise.race([restarts, everybody]);
  } finally {
    rolling.isOver = true;
    await Promise.allSettled([restarts, everybody]);
  }
  await everybody;

  assert.deepEqual(balancer.lost, []);
  const { answered, refused } = balancer.counts;
  t.diagnostic(`${accepted.length} operations, ${answered} requests answered, ${refused} sent to another replica`);
  const stored = await whatIsStored(deployment);
  assert.deepEqual(stored.map(({ id }) => id).sort(), [...accepted].sort(), 'every operation is known to its caller');
  assert.deepEqual([...new Set(stored.map(({ state }) => state))], ['Succeeded']);
  assert.deepEqual(
    control().shoots.map(({ name }) => name),
    [],
  );
  const events = stored.reduce((sum, { events: count }) => sum + count, 0);
  for (const follower of followed) {
    const seen = await follower.everything(events);
    for (const { id, events: count } of stored) {
      const expected = Array.from({ length: count }, (_, index) => index + 1);
      assert.deepEqual(seen.get(id), expected, `${follower.transport}: updates of operation ${id}`);
    }
    assert.ok(follower.connections() > 1, `${follower.transport}: some replica that was followed was replaced`);
  }
});

const control = () => landscape.control.inventory();

function growing(list: readonly string[], more: number): () => boolean {
  const goal = list.length + more;
  return () => list.length >= goal;
}

/** Another one is started once this one has ended, so that there are fewer for a while. */
async function replace(process: ServiceProcess, balancer: LoadBalancer, start: () => Promise<ServiceProcess>) {
  assert.equal(await process.stop(), 0);
  assert.ok(balancer.remove(process), 'it said that it is not ready before it refused connections');
  const problems = process.log.filter(({ level, msg }) => level === 'error' || /fell silent/.test(msg ?? ''));
  assert.deepEqual(problems, []);
  balancer.add(await start());
}

/** Provisions and deprovisions; answers the ids of both operations. */
async function wholeLife(balancer: LoadBalancer, name: string): Promise<readonly string[]> {
  const config = orderOf({ runtimeInput: { name }, gardenerConfig: { name }, kymaConfig: null });
  const { provisionRuntime: provisioning } = await balancer.ask<{ provisionRuntime: OperationAnswer }>(
    provisionMutation,
    { config },
  );
  await succeeded(balancer, provisioning.id);
  const { deprovisionRuntime } = await balancer.ask<{ deprovisionRuntime: string }>(deprovisionMutation, {
    id: provisioning.runtimeID,
  });
  await succeeded(balancer, deprovisionRuntime);
  return [provisioning.id, deprovisionRuntime];
}

async function succeeded(balancer: LoadBalancer, id: string): Promise<void> {
  const look = async () => {
    const answer = await balancer.ask<{ runtimeOperationStatus: OperationAnswer }>(stateQuery, { id });
    return answer.runtimeOperationStatus.state !== 'InProgress' && answer.runtimeOperationStatus;
  };
  const { state, message } = await eventually(`operation ${id} to end`, look, { within: 120_000, every: 50 });
  assert.equal(state, 'Succeeded', message);
}

/** Follows all Runtimes of the tenant, and goes on from its cursor at another replica whenever its own one ends. */
async function follow(balancer: LoadBalancer, transport: Transport) {
  const seen = new Map<string, number[]>();
  let cursor: string | undefined;
  let count = 0;
  let connections = 0;
  const left = { byUs: false };
  const subscribeAgain = async () => {
    const endpoint = await balancer.pick();
    connections += 1;
    return subscribe<RuntimeData>({
      ...{ transport, endpoint, query: runtimeUpdatesDocument, variables: { after: cursor } },
      onData({ runtimeUpdates: { cursor: next, update } }) {
        cursor = next;
        if (update === null) return;
        count += 1;
        seen.set(update.operationID, [...(seen.get(update.operationID) ?? []), update.sequence]);
      },
    });
  };
  let current = await subscribeAgain();
  await current.has(1);
  const keeping = (async () => {
    while (!left.byUs) {
      await eventually('its replica to end', () => left.byUs || current.end, { within: 300_000 });
      assert.deepEqual(current.errors, []);
      if (!left.byUs) current = await subscribeAgain();
    }
  })();
  return {
    transport,
    connections: () => connections,
    /** Waits for so many updates; the numbers of each operation's, in the order in which they came. */
    async everything(updates: number): Promise<ReadonlyMap<string, readonly number[]>> {
      await eventually(`${updates} updates, of which ${count} came`, () => count >= updates);
      left.byUs = true;
      await keeping;
      current.leave();
      return seen;
    },
  };
}

async function whatIsStored({ stored }: Deployment) {
  const { rows } = await sql<{ id: string; state: string; events: number }>`
    SELECT operation.id, state, (SELECT count(*)::int FROM operation_event WHERE operation_id = operation.id) AS events
    FROM operation`.execute(stored.kysely);
  return rows;
}
