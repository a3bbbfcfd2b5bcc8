import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { findRuntime } from '../../src/db/queries/find-runtime.ts';
import { runtimeStatusReads } from '../../src/db/queries/read-runtime-status.ts';
import { newRuntimeId, parseTenant } from '../../src/domain/ids.ts';
import { done } from '../../src/domain/outcome.ts';
import { migratedDatabase, newRuntime, provision, tenant } from '../engine/support/engine-fixture.ts';
import { provisionFlow } from '../engine/support/flows.ts';

const flow = provisionFlow([{ stage: 'One', run: async () => done() }]);

test('many statuses at once are each the one of their own Runtime, as it is found alone', async () => {
  const { database } = await migratedDatabase();
  const runtimes = Array.from({ length: 150 }, () => newRuntime());
  for (const runtime of runtimes) await provision(database, flow, runtime);
  // The moment of its beginning does not make an operation a Runtime's own.
  await sql`UPDATE operation SET started_at = now()`.execute(database.kysely);
  const reads = runtimeStatusReads(database);
  const found = await Promise.all(runtimes.toReversed().map(({ id }) => reads.read({ runtimeId: id, tenant })));
  for (const [index, { id }] of runtimes.toReversed().entries()) {
    const { runtime, lastOperation } = (await findRuntime({ database, tenant, runtimeId: id })) ?? assert.fail();
    const { kyma, ...alone } = runtime;
    const shown = { ...alone, kymaConfig: kyma?.config, kymaInstaller: kyma?.installer };
    assert.deepEqual(found[index], { runtime: shown, lastOperation });
  }
});

test("another tenant's Runtime is none, beside one's own in the same statement", async () => {
  const { database } = await migratedDatabase();
  const runtime = newRuntime();
  await provision(database, flow, runtime);
  const reads = runtimeStatusReads(database);
  const [own, foreign, unknown] = await Promise.all([
    reads.read({ runtimeId: runtime.id, tenant }),
    reads.read({ runtimeId: runtime.id, tenant: parseTenant('another') }),
    reads.read({ runtimeId: newRuntimeId(), tenant }),
  ]);
  assert.equal(own?.runtime.id, runtime.id);
  assert.deepEqual([foreign, unknown], [undefined, undefined]);
});
