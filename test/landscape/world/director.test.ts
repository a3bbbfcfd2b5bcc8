import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { request } from 'undici';
import { startWorld } from './world.ts';

const world = await startWorld();

const registerMutation =
  'mutation ($in: RuntimeRegisterInput!) { result: registerRuntime(in: $in) { id labels status { condition } } }';
const updateMutation =
  'mutation ($id: ID!, $in: RuntimeUpdateInput!) { result: updateRuntime(id: $id, in: $in) { id name description labels status { condition } } }';
const runtimeQuery = 'query ($id: ID!) { result: runtime(id: $id) { id name labels status { condition } } }';
const tokenMutation =
  'mutation ($id: ID!) { result: requestOneTimeTokenForRuntime(id: $id) { token connectorURL used expiresAt } }';

async function register(input: object, tenant = 'demo'): Promise<string> {
  const { data, errors } = await world.director({ tenant, query: registerMutation, variables: { in: input } });
  assert.deepEqual(errors, []);
  return String(data?.result?.id);
}

async function codeOf(call: Parameters<typeof world.director>[0]): Promise<number | undefined> {
  const { errors } = await world.director(call);
  return errors[0]?.extensions?.error_code;
}

describe("the landscape's Director", () => {
  it('registers the same name twice, each time with another id', async () => {
    const input = { name: 'twice', labels: { team: 'a' } };
    assert.notEqual(await register(input), await register(input));
  });

  it('adds isNormalized and runtimeType to the labels', async () => {
    const id = await register({ name: 'labels' });
    const { data } = await world.director({ query: runtimeQuery, variables: { id } });
    assert.deepEqual(data?.result?.labels, { isNormalized: 'true', runtimeType: 'kyma' });
    assert.deepEqual(data?.result?.status, { condition: 'INITIAL' });
  });

  it('wipes on update every label that is not given again', async () => {
    const id = await register({
      name: 'wiped',
      description: 'gone',
      labels: { team: 'a', my_defaultEventing: 'true' },
    });
    const change = { id, in: { name: 'wiped', labels: { other: 'b' }, statusCondition: 'PROVISIONING' } };
    const { data } = await world.director({ query: updateMutation, variables: change });
    assert.deepEqual(data?.result, {
      id,
      name: 'wiped',
      description: null,
      labels: { isNormalized: 'true', runtimeType: 'kyma', my_defaultEventing: 'true', other: 'b' },
      status: { condition: 'PROVISIONING' },
    });
  });

  it('answers null, not an error, for a Runtime of another tenant', async () => {
    const id = await register({ name: 'theirs' }, 'tenant-a');
    const { data, errors } = await world.director({ tenant: 'tenant-b', query: runtimeQuery, variables: { id } });
    assert.deepEqual([data, errors], [{ result: null }, []]);
  });

  const refusals: { reason: string; code: number; call: Parameters<typeof world.director>[0] }[] = [
    {
      reason: 'a label key has a slash',
      code: 22,
      call: { query: registerMutation, variables: { in: { name: 'a', labels: { 'example.com/team': 'a' } } } },
    },
    { reason: 'the name has a blank', code: 22, call: { query: registerMutation, variables: { in: { name: 'a b' } } } },
    {
      reason: 'a Runtime that does not exist is unregistered',
      code: 20,
      call: { query: 'mutation { unregisterRuntime(id: "nobody") { id } }' },
    },
    { reason: 'no tenant is named', code: 24, call: { tenant: '', query: '{ runtimes { totalCount } }' } },
    { reason: 'the tenant is unknown', code: 25, call: { tenant: 'nobody', query: '{ runtimes { totalCount } }' } },
    { reason: 'auths need a scope', code: 23, call: { query: '{ runtimes { data { auths { id } } } }' } },
  ];
  for (const { reason, code, call } of refusals) {
    it(`answers code ${code} because ${reason}`, async () => {
      await register({ name: 'somebody' });
      assert.equal(await codeOf(call), code);
    });
  }

  it('refuses scenarios and immutable labels on update', async () => {
    const id = await register({ name: 'refused' });
    const update = (labels: object) => ({ query: updateMutation, variables: { id, in: { name: 'refused', labels } } });
    assert.equal(await codeOf(update({ scenarios: ['DEFAULT'] })), 10);
    assert.equal(await codeOf(update({ runtimeType: 'kyma' })), 22);
  });

  it('keeps a sub-account with the tenant that named it first', async () => {
    const input = { name: 'sub', labels: { global_subaccount_id: 'sub-1' } };
    await register(input, 'tenant-a');
    assert.equal(await codeOf({ tenant: 'tenant-b', query: registerMutation, variables: { in: input } }), 27);
  });

  it('finds Runtimes by label, page by page', async () => {
    const ids = [
      await register({ name: 'p1', labels: { batch: 'x "y"' } }),
      await register({ name: 'p2', labels: { batch: 'x "y"' } }),
    ];
    const query = `query ($filter: [LabelFilter!], $after: PageCursor) {
      result: runtimes(filter: $filter, first: 1, after: $after) { data { id } totalCount pageInfo { endCursor hasNextPage } } }`;
    const filter = [{ key: 'batch', query: JSON.stringify('x "y"') }];
    const first = await world.director({ query, variables: { filter } });
    const page = first.data?.result as { data: { id: string }[]; totalCount: number; pageInfo: { endCursor: string } };
    assert.equal(page.totalCount, 2);
    const second = await world.director({ query, variables: { filter, after: page.pageInfo.endCursor } });
    const last = second.data?.result as typeof page & { pageInfo: { hasNextPage: boolean } };
    assert.deepEqual(
      [...page.data, ...last.data].map(({ id }) => id),
      ids,
    );
    assert.equal(last.pageInfo.hasNextPage, false);
  });

  it('answers a query that is not in its schema with its mistakes', async () => {
    const { status, errors } = await world.director({ query: '{ runtimes { nonsense } }' });
    assert.equal(status, 422);
    assert.match(errors[0]?.message ?? '', /Cannot query field "nonsense"/);
  });

  it('refuses an access token that was revoked, not in the words of GraphQL', async () => {
    const token = await world.accessToken();
    world.landscape.control.revokeAccessTokens();
    const answer = await request(world.landscape.addresses.director, {
      dispatcher: world.agent,
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, tenant: 'demo' },
      body: JSON.stringify({ query: '{ runtimes { totalCount } }' }),
    });
    assert.equal(answer.statusCode, 401);
    assert.deepEqual(Object.keys((await answer.body.json()) as object), ['error']);
  });

  it('gives no access token for a wrong secret', async () => {
    const answer = await request(world.landscape.addresses.oauth, {
      dispatcher: world.agent,
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from('provisioner:wrong').toString('base64')}` },
      body: 'grant_type=client_credentials',
    });
    assert.equal(answer.statusCode, 401);
    assert.equal(((await answer.body.json()) as { error: string }).error, 'invalid_client');
  });

  it('burns a one-time token with its first use at the Connector', async () => {
    const id = await register({ name: 'token' });
    const { data } = await world.director({ query: tokenMutation, variables: { id } });
    assert.equal(data?.result?.connectorURL, world.landscape.addresses.connector);
    assert.equal(data?.result?.used, false);
    const configuration = '{ configuration { token { token } managementPlaneInfo { directorURL } } }';
    const token = String(data?.result?.token);
    const first = await world.connector(token, configuration);
    assert.equal(first.errors.length, 0);
    const second = await world.connector(token, configuration);
    assert.match(second.errors[0]?.message ?? '', /token is invalid, used or expired/);
  });
});
