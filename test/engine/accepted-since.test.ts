import assert from 'node:assert/strict';
import { test } from 'node:test';
import { databaseTime } from '../../src/db/queries/database-time.ts';
import { done } from '../../src/domain/outcome.ts';
import { anotherConnection, ended, migratedDatabase, provision, startEngine } from './support/engine-fixture.ts';
import { provisionFlow } from './support/flows.ts';

test('an engine that takes up new operations only leaves those from before its start to others', async () => {
  const { database, settings } = await migratedDatabase();
  const ranOn: string[] = [];
  const flowOn = (name: string) =>
    provisionFlow([
      {
        stage: 'One',
        run: async () => {
          ranOn.push(name);
          return done();
        },
      },
    ]);
  const earlier = await provision(database, flowOn('nobody'));
  const acceptedSince = await databaseTime({ database });
  await startEngine({ database, flows: [flowOn('restrained')], acceptedSince });
  // Due later than the earlier one, so a claim of it has passed the earlier one over.
  const later = await provision(database, flowOn('nobody'));
  await ended(database, later);
  assert.deepEqual(ranOn, ['restrained']);
  await startEngine({ database: anotherConnection(settings), flows: [flowOn('other')] });
  assert.equal((await ended(database, earlier)).attempt, 1);
  assert.deepEqual(ranOn, ['restrained', 'other']);
});
