import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acceptProvision } from '../../src/db/queries/accept-provision.ts';
import { newOperationId, type Tenant } from '../../src/domain/ids.ts';
import { done } from '../../src/domain/outcome.ts';
import { eventually } from '../harness/eventually.ts';
import {
  anotherConnection,
  ended,
  migratedDatabase,
  newRuntime,
  provision,
  startEngine,
} from './support/engine-fixture.ts';
import { provisionFlow } from './support/flows.ts';

test('an operation of one tenant does not wait behind the many of another', async () => {
  const { database } = await migratedDatabase();
  const started: string[] = [];
  const { promise: enough, resolve } = Promise.withResolvers<void>();
  const { promise: goOn, resolve: letGoOn } = Promise.withResolvers<void>();
  const flow = provisionFlow([
    {
      stage: 'One',
      run: async ({ runtime }) => {
        started.push(runtime.tenant);
        if (started.length === 20) resolve();
        if (started.length >= 20) await goOn;
        return done();
      },
    },
  ]);
  const many = 120;
  const accept = (tenant: string) =>
    acceptProvision({
      ...{ database, runtime: newRuntime({ tenant: tenant as Tenant }), operationId: newOperationId() },
      ...{ startMessage: flow.startMessage, firstStage: 'One' },
    });
  for (let count = 0; count < many; count += 1) await accept('tenant-with-many');
  await startEngine({ database, flows: [flow], concurrency: 4 });
  await enough;
  await accept('tenant-with-one');
  letGoOn();
  await eventually('the operation of the other tenant to start', () => started.includes('tenant-with-one'));
  const place = started.indexOf('tenant-with-one');
  // What was at work, and what was claimed already, comes first.
  assert.ok(place < 20 + 4 + 10, `it was number ${place} of ${many}`);
});

test('operations of one tenant that take long leave room for another, and all come to their turn', async () => {
  const { database } = await migratedDatabase();
  const started: string[] = [];
  const { promise: goOn, resolve: letGoOn } = Promise.withResolvers<void>();
  const flow = provisionFlow([
    {
      stage: 'One',
      run: async ({ runtime }) => {
        started.push(runtime.tenant);
        if (runtime.tenant === 'tenant-with-many') await goOn;
        return done();
      },
    },
  ]);
  const accept = (tenant: string) =>
    acceptProvision({
      ...{ database, runtime: newRuntime({ tenant: tenant as Tenant }), operationId: newOperationId() },
      ...{ startMessage: flow.startMessage, firstStage: 'One' },
    });
  const many = 60;
  for (let count = 0; count < many; count += 1) await accept('tenant-with-many');
  const engine = await startEngine({ database, flows: [flow], concurrency: 30 });
  await eventually('as many as may to be at work', () => engine.state.running >= 27);
  await accept('tenant-with-one');
  await accept('tenant-with-another');
  await eventually('the operations of the others to start', () =>
    ['tenant-with-one', 'tenant-with-another'].every((tenant) => started.includes(tenant)),
  );
  const ofTheMany = started.filter((tenant) => tenant === 'tenant-with-many').length;
  assert.ok(ofTheMany < 30, `${ofTheMany} are at work, of 30 that have room`);
  letGoOn();
  await eventually('all to start', () => started.length === many + 2);
});

test('what a newer version has brought to a stage of its own is left to newer versions', async () => {
  const { database, settings } = await migratedDatabase();
  const older = provisionFlow([{ stage: 'One', run: async () => done() }]);
  const ran: string[] = [];
  const newer = provisionFlow([
    {
      stage: 'New',
      run: async () => {
        ran.push('New');
        return done();
      },
    },
    ...older.steps,
  ]);
  await startEngine({ database, flows: [older] });
  const strange = await provision(database, newer);
  const known = await provision(database, older);
  assert.equal((await ended(database, known)).state, 'Succeeded');
  assert.deepEqual(ran, []);
  await startEngine({ database: anotherConnection(settings), flows: [newer] });
  const operation = await ended(database, strange);
  assert.equal(operation.state, 'Succeeded', operation.message);
  assert.deepEqual(ran, ['New']);
});
