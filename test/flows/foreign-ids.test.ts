import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { GraphqlClient } from '../harness/graphql-client.ts';
import { deprovisionMutation, operationQuery, provisionMutation, runtimeQuery } from './documents.ts';
import { orderOf } from './orders.ts';
import { openWorld } from './world.ts';

const world = await openWorld();
const { control } = world;
const mine = await world.provision(orderOf());
await world.succeeded(mine.id);
const untouched = await everything();

/** Every query and mutation that takes an id. */
const doors: Readonly<Record<string, { document: string; id: string; variables?: object }>> = {
  runtimeStatus: { document: runtimeQuery, id: mine.runtimeID },
  runtimeOperationStatus: { document: operationQuery, id: mine.id },
  deprovisionRuntime: { document: deprovisionMutation, id: mine.runtimeID },
  provisionRuntime: { document: provisionMutation, id: mine.runtimeID, variables: { config: orderOf() } },
};
const notFound: Readonly<Record<string, [code: string, number: number]>> = {
  provisionRuntime: ['DIRECTOR_RUNTIME_NOT_FOUND', 400],
};

for (const [name, { document, id, variables }] of Object.entries(doors)) {
  const ask = async (api: GraphqlClient, asked: string) =>
    (await api.send(document, { ...variables, id: asked })).errors;

  describe(name, () => {
    test("answers another tenant's id in the words for an id that does not exist", async () => {
      const stranger = world.as({ tenant: 'tenant-b' });
      const unknown = crypto.randomUUID();
      const errors = await ask(stranger, id);
      const [code, number] = notFound[name] ?? ['NOT_FOUND', 2];
      assert.deepEqual(
        errors.map(({ extensions }) => [extensions?.code, extensions?.error_code]),
        [[code, number]],
      );
      const forUnknown = JSON.stringify(await ask(stranger, unknown)).replaceAll(unknown, id);
      assert.equal(JSON.stringify(errors), forUnknown);
      assert.deepEqual(await everything(), untouched);
    });

    test('refuses an id that is none, naming it', async () => {
      for (const malformed of ['', 'demo', `${id}0`, "' OR 1=1 --", '100%s %!d(MISSING)']) {
        const [error, ...others] = await ask(world.api, malformed);
        assert.deepEqual(others, []);
        assert.equal(error?.extensions?.code, 'INVALID_INPUT');
        assert.ok(error.message.startsWith(`id: "${malformed}" is not a UUID such as`), error.message);
      }
      assert.deepEqual(await everything(), untouched);
    });

    test('answers nobody without a tenant', async () => {
      const [error] = await ask(world.as({ tenant: ' ' }), id);
      assert.deepEqual([error?.message, error?.extensions?.code], ['tenant header is empty', 'TENANT_MISSING']);
      assert.deepEqual(await everything(), untouched);
    });
  });
}

async function everything(): Promise<object> {
  return { rows: await world.rowCounts(), inventory: control.inventory() };
}
