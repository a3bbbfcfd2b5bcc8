import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Problem } from '../../../src/domain/failures.ts';
import { openGkeWorld } from '../../contract/gke-world.ts';
import { newOrder } from './orders.ts';

const world = await openGkeWorld();
after(() => world[Symbol.asyncDispose]());
const { driver, management, landscape } = world;
const { control } = landscape;
const key = JSON.parse(await control.createGoogleKey({ name: 'provisioner' }));
const secrets = { apiVersion: 'v1', plural: 'secrets', namespaced: true } as const;

let made = 0;
/** The name of a Secret with this content. */
async function secret(data: Readonly<Record<string, string>>): Promise<string> {
  made += 1;
  const name = `secret-${made}`;
  const encoded = Object.entries(data).map(([field, value]) => [field, Buffer.from(value).toString('base64')]);
  const metadata = { name, namespace: 'compass-system' };
  await management.create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata, data: Object.fromEntries(encoded) });
  return name;
}

async function problemWith(credentialsSecretName: string): Promise<Problem> {
  const problems = await driver.check(newOrder({ credentialsSecretName }));
  assert.equal(problems.length, 1, JSON.stringify(problems));
  assert.ok(problems[0]);
  return problems[0];
}

const wrongKeys: readonly { readonly what: string; readonly content: string; readonly words: RegExp }[] = [
  { what: 'no JSON', content: 'hunter2-hunter2', words: /it is not JSON/ },
  { what: 'no object', content: '["hunter2"]', words: /it is not a JSON object/ },
  {
    what: 'a key that names programs to run',
    content: JSON.stringify({ type: 'external_account', credential_source: { executable: { command: 'hunter2' } } }),
    words: /has the type "external_account", and only that of a service account/,
  },
  {
    what: "a user's login",
    content: JSON.stringify({ type: 'authorized_user', refresh_token: 'hunter2' }),
    words: /"authorized_user"/,
  },
  {
    what: 'no private key',
    content: JSON.stringify({ ...key, private_key: 'hunter2' }),
    words: /no private_key that is an RSA key/,
  },
  { what: 'no account', content: JSON.stringify({ ...key, client_email: undefined }), words: /has no client_email/ },
  {
    what: 'a token endpoint of somebody else',
    content: JSON.stringify({ ...key, token_uri: 'https://oauth2.googleapis.com.hunter2.example/token' }),
    words: /has a token_uri that is not Google's/,
  },
  {
    what: 'a token endpoint without TLS',
    content: JSON.stringify({ ...key, token_uri: 'http://oauth2.googleapis.com/token' }),
    words: /not Google's/,
  },
];

for (const { what, content, words } of wrongKeys) {
  test(`a Secret with ${what} is refused without showing it, with the command that makes a right one`, async () => {
    const name = await secret({ credentials: content });
    const { path, message, code } = await problemWith(name);
    assert.deepEqual([path, code], ['config.credentials.secretName', 'CREDENTIALS_INVALID']);
    assert.match(message, words);
    assert.ok(
      message.includes(`kubectl -n compass-system create secret generic ${name} --from-file=credentials=key.json`),
    );
    assert.doesNotMatch(message, /hunter2/);
  });
}

test('a Secret that does not exist, and one without the right data key, are refused', async () => {
  assert.match((await problemWith('nowhere')).message, /^Secret compass-system\/nowhere does not exist; .*kubectl/);
  const other = await secret({ 'key.json': JSON.stringify(key) });
  assert.match((await problemWith(other)).message, /has no data key "credentials" \(only key\.json\)/);
});

test('a key that Google does not accept any more is refused at once, however good it was a moment ago', async () => {
  const revoked = JSON.parse(await control.createGoogleKey({ name: 'provisioner' }));
  const name = await secret({ credentials: JSON.stringify(revoked) });
  assert.deepEqual(await driver.check(newOrder({ credentialsSecretName: name })), []);
  control.deleteGoogleKey(revoked.private_key_id);
  const { code, message } = await problemWith(name);
  assert.equal(code, 'CREDENTIALS_REFUSED');
  assert.match(message, /refuses the key of provisioner@my-project.*Invalid JWT Signature/);
});

test("the permission that is missing is told in Google's words when the cluster is made", async () => {
  const viewer = await secret({ credentials: await control.createGoogleKey({ name: 'viewer', role: 'viewer' }) });
  const order = newOrder({ credentialsSecretName: viewer });
  await assert.rejects(driver.create(order, crypto.randomUUID() as never, AbortSignal.timeout(10_000)), {
    code: 'CREDENTIALS_REFUSED',
    message: /Required "container\.clusters\.create".*roles\/container\.admin/,
  });
});

test('a project that the key does not reach, or a location that there is not, is refused', async () => {
  const [elsewhere] = await driver.check(newOrder({ projectName: 'other-project' }));
  assert.match(elsewhere?.message ?? '', /Permission denied on resource project other-project/);
  const [nowhere] = await driver.check(newOrder({ region: 'europe-west33' }));
  assert.equal(nowhere?.path, 'config.clusterConfig.gcpConfig.region');
  assert.match(nowhere?.message ?? '', /Location "europe-west33" does not exist/);
});

test('a token is fetched once for many, and again after it was refused', async () => {
  const order = newOrder();
  await driver.remains(order, AbortSignal.timeout(10_000));
  control.clearRequests();
  await Promise.all(Array.from({ length: 20 }, () => driver.remains(order, AbortSignal.timeout(10_000))));
  assert.equal(control.requests('google').length, 0);
  control.deleteGoogleKey('none, but every token is revoked');
  await Promise.all(Array.from({ length: 20 }, () => driver.remains(order, AbortSignal.timeout(10_000))));
  assert.ok(control.requests('google').length < 5, `${control.requests('google').length} tokens`);
});
