import assert from 'node:assert/strict';
import { test } from 'node:test';
import { done } from '../../../src/domain/outcome.ts';
import { anotherConnection, history, provision, startEngine } from '../../engine/support/engine-fixture.ts';
import { provisionFlow } from '../../engine/support/flows.ts';
import { apiUnderTest } from '../api-under-test.ts';
import { operationUpdatesDocument, type SeenUpdate, subscribe, transports } from './support/live-client.ts';

interface Data {
  readonly operationUpdates: SeenUpdate;
}

const flow = provisionFlow(['One', 'Two'].map((stage) => ({ stage, run: async () => done() })));

for (const transport of transports) {
  test(`${transport}: an operation is seen from its beginning to its end, and the subscription ends with it`, async (t) => {
    const { origin, database, testing } = await apiUnderTest(t);
    const operation = await provision(database, flow);
    const subscribed = subscribe<Data>({
      ...{ transport, endpoint: `${origin}/graphql`, query: operationUpdatesDocument },
      variables: { operationID: operation.id },
    });
    await subscribed.has(1);
    await startEngine({ database: anotherConnection(testing.settings), flows: [flow] });
    assert.deepEqual(await subscribed.ended(), { kind: 'complete' });
    const seen = subscribed.data.map(({ operationUpdates }) => operationUpdates);
    assert.deepEqual(
      seen.map(({ sequence, type, stage, state }) => `${sequence} ${type} ${stage} ${state}`),
      [
        '1 Accepted One InProgress',
        '2 StageDone One InProgress',
        '3 StageStarted Two InProgress',
        '4 StageDone Two InProgress',
        '5 Succeeded Finished Succeeded',
      ],
    );
    const stored = await history(database, operation.id);
    assert.deepEqual(
      seen.map(({ at, message }) => ({ at, message })),
      stored.map(({ at, message }) => ({ at: at.toISOString(), message })),
    );
    assert.ok(seen.every(({ runtimeID, operation }) => runtimeID !== '' && operation === 'Provision'));
  });

  test(`${transport}: a subscription after an update that never comes ends with the operation all the same`, async (t) => {
    const { origin, database, testing } = await apiUnderTest(t);
    const operation = await provision(database, flow);
    const of = { transport, endpoint: `${origin}/graphql`, query: operationUpdatesDocument };
    const beyond = subscribe<Data>({ ...of, variables: { operationID: operation.id, after: 100 } });
    const whole = subscribe<Data>({ ...of, variables: { operationID: operation.id } });
    await whole.has(1);
    await startEngine({ database: anotherConnection(testing.settings), flows: [flow] });
    assert.deepEqual(await whole.ended(), { kind: 'complete' });
    assert.deepEqual(await beyond.ended(), { kind: 'complete' });
    assert.deepEqual(beyond.data, []);
  });
}
