import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { apiUnderTest } from './api-under-test.ts';
import { storeOperation, storeRuntime } from './stored-runtimes.ts';

test('an operation that waits to be taken up knows its place, in which tenants take turns', async (t) => {
  const { call, database } = await apiUnderTest(t);
  const waiting = async (tenant: string, second: number) => {
    const runtime = await storeRuntime(database, { tenant });
    const startedAt = new Date(Date.UTC(2026, 0, 1, 0, 0, second));
    const id = await storeOperation(database, runtime, { kind: 'Deprovision', state: 'InProgress', startedAt });
    await sql`UPDATE operation SET next_look = ${startedAt} WHERE id = ${id}`.execute(database.kysely);
    return id;
  };
  for (let second = 0; second < 30; second += 1) await waiting('tenant-b', second);
  const first = await waiting('tenant-a', 40);
  const second = await waiting('tenant-a', 50);
  const position = async (id: string) => {
    const { data, errors } = await call(`{ runtimeOperationStatus(id: "${id}") { queuePosition } }`);
    assert.equal(errors, undefined);
    return data.runtimeOperationStatus.queuePosition;
  };
  assert.equal(await position(first), 2, 'one of the other tenant comes first');
  assert.equal(await position(second), 4, 'two of the other tenant come first, and one of its own');
  await sql`UPDATE operation SET next_look = now() + interval '1 minute' WHERE id = ${first}`.execute(database.kysely);
  assert.equal(await position(first), null, 'it waits for something outside');
  assert.equal(await position(second), 2);
});
