import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Agent, fetch } from 'undici';
import { parse } from 'yaml';
import { KubernetesApi } from '../../../landscape/kubernetes/kubernetes-api.ts';
import {
  type Fault,
  type KubernetesServer,
  type ServerRequestInfo,
  startKubernetesServer,
} from '../../../landscape/kubernetes/kubernetes-server.ts';
import { tooManyRequests } from '../../../landscape/kubernetes/status-error.ts';
import { type CertificateAuthority, createCertificateAuthority } from '../../../landscape/tls/certificate-authority.ts';
import { eventually } from '../../harness/eventually.ts';

const clock = { offset: 0, now: () => Date.now() + clock.offset };
const logged: { info: ServerRequestInfo; status: number }[] = [];
const agents: Agent[] = [];
let authority: CertificateAuthority;
let garden: KubernetesApi;
let server: KubernetesServer;
let fault: Fault | undefined;

before(async () => {
  authority = createCertificateAuthority({ name: 'test' });
  garden = new KubernetesApi({ name: 'garden', clock });
  const other = new KubernetesApi({ name: 'clusters/one' });
  server = await startKubernetesServer({
    port: 0,
    authority,
    apis: [garden, other],
    before: () => fault,
    log: (info, { status }) => logged.push({ info, status }),
  });
});
after(async () => {
  await Promise.all(agents.map((agent) => agent.destroy()));
  await server.close();
});

const secrets = '/api/v1/namespaces/default/secrets';

/** A client with a certificate of its own, as a kubeconfig holds it. */
function certificateClient(api: string, groups: readonly string[], lifetimeSeconds = 3600): Agent {
  const { kubeconfig } = server.issueKubeconfig({ api, user: 'someone', groups, lifetimeSeconds });
  const { users } = parse(kubeconfig);
  const decode = (text: string): string => Buffer.from(text, 'base64').toString();
  const agent = new Agent({
    connect: {
      ca: authority.certificate,
      cert: decode(users[0].user['client-certificate-data']),
      key: decode(users[0].user['client-key-data']),
    },
  });
  agents.push(agent);
  return agent;
}

function plainClient(): Agent {
  const agent = new Agent({ connect: { ca: authority.certificate } });
  agents.push(agent);
  return agent;
}

async function status(
  dispatcher: Agent,
  api: string,
  path: string,
  init: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<number> {
  const response = await fetch(`${server.urlOf(api)}${path}`, { dispatcher, ...init });
  await response.text();
  return response.status;
}

test('a client certificate opens the API it was issued for and no other', async () => {
  const client = certificateClient('garden', ['system:masters']);
  assert.equal(await status(client, 'garden', secrets), 200);
  assert.equal(await status(client, 'garden', secrets), 200, 'also on the kept-alive connection');
  assert.equal(await status(client, 'clusters/one', secrets), 401);
});

test('a client certificate of another authority opens nothing', async () => {
  const stranger = createCertificateAuthority({ name: 'test' });
  const issued = stranger.issueClientCertificate({
    user: 'x',
    groups: ['system:masters'],
    api: 'garden',
    lifetimeSeconds: 60,
  });
  const client = new Agent({ connect: { ca: authority.certificate, cert: issued.certificate, key: issued.key } });
  agents.push(client);
  assert.equal(await status(client, 'garden', secrets), 401);
});

test('a client certificate expires, on a connection that is already open too', async () => {
  const client = certificateClient('garden', ['system:masters'], 600);
  assert.equal(await status(client, 'garden', secrets), 200);
  clock.offset = 601_000;
  assert.equal(await status(client, 'garden', secrets), 401);
  clock.offset = 0;
});

test('a bearer token works until it is revoked or expires', async () => {
  const client = plainClient();
  const user = { name: 'bot', groups: [] };
  const call = (token: string) => status(client, 'garden', secrets, { headers: { authorization: `Bearer ${token}` } });
  const lasting = garden.tokens.issue({ user });
  const short = garden.tokens.issue({ user, lifetimeSeconds: 60 });
  assert.deepEqual([await call(lasting), await call(short)], [200, 200]);
  clock.offset = 61_000;
  assert.deepEqual([await call(lasting), await call(short)], [200, 401]);
  clock.offset = 0;
  garden.tokens.revoke(lasting);
  assert.equal(await call(lasting), 401);
});

test('a TokenRequest gives a ServiceAccount a token', async () => {
  const client = certificateClient('garden', ['system:masters']);
  const body = JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} });
  const url = `${server.urlOf('garden')}/api/v1/namespaces/default/serviceaccounts/default/token`;
  await eventually('the ServiceAccount', () => garden.read('serviceaccounts', 'default', 'default'));
  const response = await fetch(url, {
    dispatcher: client,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  const answer = (await response.json()) as { status: { token: string } };
  const headers = { authorization: `Bearer ${answer.status.token}` };
  assert.equal(await status(plainClient(), 'garden', secrets, { headers }), 200);
});

test('a viewer reads, but neither writes nor sees Secrets', async () => {
  const client = certificateClient('garden', ['gardener.cloud:system:viewers']);
  const json = { 'content-type': 'application/json' };
  assert.equal(await status(client, 'garden', '/api/v1/namespaces/default/configmaps'), 200);
  assert.equal(await status(client, 'garden', secrets), 403);
  assert.equal(await status(client, 'garden', `${secrets}/x`), 403);
  const body = JSON.stringify({ metadata: { name: 'x' } });
  const configMaps = '/api/v1/namespaces/default/configmaps';
  assert.equal(await status(client, 'garden', configMaps, { method: 'POST', headers: json, body }), 403);
  assert.equal(await status(client, 'garden', `${configMaps}/x`, { method: 'DELETE' }), 403);
});

test('APIs come and go while the server runs; where there is none, nobody answers', async () => {
  const late = new KubernetesApi({ name: 'clusters/late' });
  const client = certificateClient('clusters/late', ['system:masters']);
  await assert.rejects(status(client, 'clusters/late', secrets), /fetch failed/);
  server.add(late);
  assert.equal(await status(client, 'clusters/late', secrets), 200);
  assert.equal(server.remove('clusters/late'), true);
  assert.equal(server.remove('clusters/late'), false);
  await assert.rejects(status(client, 'clusters/late', secrets), /fetch failed/);
});

test('an injected status answers without any effect', async () => {
  const client = certificateClient('garden', ['system:masters']);
  fault = { kind: 'status', error: tooManyRequests(7) };
  const response = await fetch(`${server.urlOf('garden')}${secrets}`, { dispatcher: client });
  fault = undefined;
  assert.equal(response.status, 429);
  assert.equal(response.headers.get('retry-after'), '7');
  assert.equal(((await response.json()) as { reason: string }).reason, 'TooManyRequests');
});

const lostReplies: readonly { kind: 'drop' | 'lose-reply'; isCreated: boolean }[] = [
  { kind: 'drop', isCreated: false },
  { kind: 'lose-reply', isCreated: true },
];
for (const { kind, isCreated } of lostReplies) {
  test(`a connection broken by ${kind} leaves the effect ${isCreated ? 'in place' : 'out'}`, async () => {
    const client = certificateClient('garden', ['system:masters']);
    const body = JSON.stringify({ metadata: { name: `cm-${kind}` } });
    const headers = { 'content-type': 'application/json' };
    fault = { kind: 'delay', milliseconds: 1, next: { kind } };
    const call = status(client, 'garden', '/api/v1/namespaces/default/configmaps', { method: 'POST', headers, body });
    await assert.rejects(call, TypeError);
    fault = undefined;
    assert.equal(garden.read('configmaps', 'default', `cm-${kind}`) !== undefined, isCreated);
  });
}

test('the log hears of every request and of an answer that never came', async () => {
  const client = certificateClient('garden', ['system:masters']);
  await status(client, 'garden', '/api/v1/namespaces/default/configmaps/nothing');
  const entry = await eventually('the log entry', () => logged.find(({ info }) => info.path.endsWith('/nothing')));
  assert.equal(entry.status, 404);
  assert.equal(entry.info.verb, 'get');
  assert.equal(entry.info.user.name, 'someone');
  const lost = logged.find(({ info, status: code }) => info.verb === 'create' && code === 0);
  assert.equal(lost?.info.api, 'garden');
});
