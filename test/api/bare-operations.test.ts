import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiUnderTest, provisionMutation } from './api-under-test.ts';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const selection = / \{ id operation state message runtimeID \} \}$/;
const bare = (document: string) => document.replace(selection, ' }');

test('a mutation without a selection set answers with the id of the operation', async (t) => {
  const { call } = await apiUnderTest(t);
  const { data, errors } = await call(bare(provisionMutation()));
  assert.equal(errors, undefined);
  assert.match(data.provisionRuntime, uuid);
  const asked = await call(`{ runtimeOperationStatus(id: "${data.provisionRuntime}") { state } }`);
  assert.deepEqual(asked.data.runtimeOperationStatus, { state: 'InProgress' });
});

test('the same document answers the same way again, whatever the server keeps of it', async (t) => {
  const { call } = await apiUnderTest(t);
  const ids = new Set<string>();
  for (let times = 0; times < 3; times++) {
    const { data } = await call(bare(provisionMutation()));
    assert.match(data.provisionRuntime, uuid);
    ids.add(data.provisionRuntime);
  }
  assert.equal(ids.size, 3);
});

test('with variables, an alias, a fragment and other fields beside it, only the bare one is shortened', async (t) => {
  const { call } = await apiUnderTest(t);
  const config = {
    runtimeInput: { name: 'demo' },
    clusterConfig: {
      gardenerConfig: {
        provider: 'gcp',
        targetSecret: 'gcp-credentials',
        region: 'europe-west3',
        workerCidr: '10.250.0.0/22',
        providerSpecificConfig: { gcpConfig: { zones: ['europe-west3-a'] } },
      },
    },
  };
  const { data, errors } = await call(
    `mutation Two($config: ProvisionRuntimeInput!) {
      bare: provisionRuntime(config: $config)
      whole: provisionRuntime(config: $config) { id state }
      ... on Mutation { inline: provisionRuntime(config: $config) }
      ...Third
    }
    fragment Third on Mutation { third: provisionRuntime(config: $config) __typename }`,
    { variables: { config } },
  );
  assert.equal(errors, undefined);
  for (const name of ['bare', 'inline', 'third']) assert.match(data[name], uuid, name);
  assert.deepEqual(Object.keys(data.whole), ['id', 'state']);
  assert.match(data.whole.id, uuid);
  assert.equal(data.__typename, 'Mutation');
});

test('a refused one answers null and its error', async (t) => {
  const { call } = await apiUnderTest(t);
  const { status, data, errors } = await call(bare(provisionMutation({ runtimeInput: '{ name: "" }' })));
  assert.equal(status, 200);
  assert.deepEqual(data, { provisionRuntime: null });
  assert.deepEqual(errors?.[0].path, ['provisionRuntime']);
});

test('deprovisionRuntime answers a text as ever', async (t) => {
  const { call } = await apiUnderTest(t);
  const provisioned = await call(provisionMutation());
  const { id, runtimeID } = provisioned.data.provisionRuntime;
  const busy = await call(`mutation { deprovisionRuntime(id: "${runtimeID}") }`);
  assert.ok(busy.errors?.[0].message.endsWith(`while previous one is in progress: Provision ${id}`));
});

test('what else needs a selection set still needs one', async (t) => {
  const { call } = await apiUnderTest(t);
  const id = crypto.randomUUID();
  for (const document of [
    `{ runtimeOperationStatus(id: "${id}") }`,
    `{ runtimeStatus(id: "${id}") }`,
    `{ runtimeStatus(id: "${id}") { lastOperationStatus } }`,
    `mutation { rollBackUpgradeOperation(id: "${id}") }`,
    `mutation { rollBackUpgradeOperation(id: "${id}") { lastOperationStatus } }`,
  ]) {
    const { status, errors } = await call(document);
    assert.equal(status, 422, document);
    assert.match(errors?.[0].message, /must have a selection of subfields/, document);
  }
});
