import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Failure } from '../../src/domain/failures.ts';
import { type ArtifactStore, Artifacts } from '../../src/kyma/artifacts.ts';
import { fillMirror } from '../../src/kyma/fill-mirror.ts';
import { mirrorAddress } from '../../src/kyma/mirror.ts';
import { silentLog } from '../harness/silent-log.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';
import { type ArtifactServer, startArtifactServer } from './artifact-server.ts';

let origin: ArtifactServer;
let mirror: ArtifactServer;
const opened: Artifacts[] = [];

before(async () => {
  [origin, mirror] = await Promise.all([startArtifactServer(), startArtifactServer()]);
});
afterEach(async () => {
  for (const server of [origin, mirror]) {
    server.faults.clear();
    server.requests.clear();
  }
  await Promise.all(opened.splice(0).map((artifacts) => artifacts.close()));
});
after(() => Promise.all([origin.close(), mirror.close()]));

function open(options: Partial<ConstructorParameters<typeof Artifacts>[0]>): Artifacts {
  const hosts = new Set([origin.host, origin.host.replace('127.0.0.1', 'localhost')]);
  const trustedHosts = async () => ({ artifacts: hosts, redirects: hosts });
  const artifacts = new Artifacts({ privateAddresses: 'allowed', trustedHosts, log: silentLog, ...options });
  opened.push(artifacts);
  return artifacts;
}

/** Where whatever is written can be looked at. */
function storeInMemory(): ArtifactStore & { readonly contents: Map<string, Buffer> } {
  const contents = new Map<string, Buffer>();
  return {
    contents,
    has: async (sha256) => contents.has(sha256),
    read: async (sha256) => contents.get(sha256),
    write: async (sha256, content) => void contents.set(sha256, content),
  };
}

const secret = (name: string) => `apiVersion: v1\nkind: Secret\nmetadata: { name: ${name} }\n`;
const requestsTo = (server: ArtifactServer) => server.requests.counters()['artifacts GET'] ?? 0;
const hostFolder = () => origin.host.replace(':', '_');

function isInvalid(pattern: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof Failure, String(error));
    assert.equal(error.code, 'KYMA_ARTIFACT_INVALID');
    assert.match(error.message, pattern);
    return true;
  };
}

test('with a mirror nothing else is asked, and the digest still counts', async () => {
  const good = origin.publish('/releases/1.0/good.yaml', secret('one'));
  const bad = origin.publish('/releases/1.0/bad.yaml', secret('one'));
  const moved = origin.publish('/moved.yaml', secret('one-more'));
  mirror.publish(`/kyma/${hostFolder()}/releases/1.0/good.yaml`, secret('one'));
  mirror.publish(`/kyma/${hostFolder()}/releases/1.0/bad.yaml`, secret('two'));
  mirror.answer(`/kyma/${hostFolder()}/moved.yaml`, { status: 302, headers: { location: moved.url }, body: '' });
  const artifacts = open({ mirror: new URL(`${mirror.url}/kyma/`), privateAddresses: 'refused' });
  assert.equal((await artifacts.objects(good))[0]?.metadata.name, 'one');
  await assert.rejects(artifacts.objects({ ...bad, sha256: 'a'.repeat(64) }), isInvalid(/SHA-256 is .* a{64}/));
  const away = isInvalid(/redirected to .*, and APP_KYMA_ARTIFACTS_MIRROR does not name the host/);
  await assert.rejects(artifacts.objects(moved), away);
  const missing = { url: `${origin.url}/none.yaml`, sha256: 'd'.repeat(64) };
  await assert.rejects(artifacts.objects(missing), isInvalid(/kyma\/127\.0\.0\.1_\d+\/none\.yaml .* not there/));
  assert.equal(requestsTo(origin), 0);
});

test('a folder is a mirror, too, and nothing outside of it is read', async () => {
  const folder = temporaryFolder();
  const reference = { url: 'https://releases.example.com/istio/1.0/a.yaml', sha256: '' };
  const file = path.join(folder, 'releases.example.com/istio/1.0/a.yaml');
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, secret('one'));
  const sha256 = createHash('sha256').update(secret('one')).digest('hex');
  const artifacts = open({ mirror: pathToFileURL(folder), limits: { bytes: 100 } });
  assert.equal((await artifacts.objects({ ...reference, sha256 }))[0]?.metadata.name, 'one');
  const cases = [
    { url: 'https://releases.example.com/other.yaml', pattern: /not in the mirror/ },
    { url: 'https://releases.example.com/%2e%2e/%2E%2e/secret', pattern: /not in the mirror/ },
    { url: 'https://releases.example.com/..%2f..%2fsecret', pattern: /cannot be in a mirror/ },
    { url: 'https://releases.example.com/a?version=1', pattern: /cannot be in a mirror/ },
    { url: 'https://releases.example.com/%zz', pattern: /cannot be in a mirror/ },
  ];
  for (const { url, pattern } of cases)
    await assert.rejects(artifacts.objects({ url, sha256: 'd'.repeat(64) }), isInvalid(pattern), url);
  writeFileSync(file, `${secret('one')}# ${'x'.repeat(100)}`);
  await assert.rejects(
    open({ mirror: pathToFileURL(folder), limits: { bytes: 100 } }).objects({ ...reference, sha256 }),
    isInvalid(/larger than 100 bytes/),
  );
});

test('every address stays below its mirror', () => {
  const at = (origin: string) => mirrorAddress(new URL('file:///mirror'), new URL(origin)).href;
  assert.equal(at('https://a.example.com/x/../../y'), 'file:///mirror/a.example.com/y');
  assert.equal(at('https://a.example.com:8443/x'), 'file:///mirror/a.example.com_8443/x');
  assert.equal(at('https://[::1]:8443/x y'), 'file:///mirror/%5B%3A%3A1%5D_8443/x%20y');
});

test('a mirror is filled with what the catalogue names, and what it has is not fetched again', async () => {
  const files = ['manager', 'cr', 'installer'].map((name) => origin.publish(`/mirrored/${name}.yaml`, secret(name)));
  const [manifest, defaultResource, installer] = files;
  assert.ok(manifest && defaultResource && installer);
  const module = {
    ...{ version: '1.0.0', namespace: 'kyma-system', manifest, defaultResource },
    resource: { apiVersion: 'a/v1', kind: 'A', name: 'a' },
    manager: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a', namespace: 'kyma-system' },
  };
  const folder = temporaryFolder();
  const catalogue = path.join(folder, 'catalogue.json');
  const write = (reference = installer) => {
    const releases = { '2.0': { modules: { a: module }, minimal: ['a'] } };
    const kyma1 = {
      installer: reference,
      components: [{ name: 'istio', namespace: 'istio-system' }],
      minimal: ['istio'],
    };
    writeFileSync(catalogue, JSON.stringify({ channels: {}, releases, installerReleases: { '1.24.0': kyma1 } }));
  };
  write();
  const fill = () => fillMirror({ catalogue, folder: path.join(folder, 'mirror'), log: silentLog });
  assert.deepEqual(await fill(), { fetched: 3, present: 0 });
  assert.deepEqual(await fill(), { fetched: 0, present: 3 });
  origin.faults.add({ action: { kind: 'drop' } });
  const artifacts = open({ mirror: pathToFileURL(path.join(folder, 'mirror')) });
  for (const file of files) assert.equal((await artifacts.objects(file)).length, 1);
  origin.faults.clear();
  write({ ...installer, sha256: 'b'.repeat(64) });
  await assert.rejects(fill(), /its SHA-256 is .* but the catalogue says b{64}/);
});

test('what was downloaded once is had from the store when its origin is gone, and only with its digest', async () => {
  const store = storeInMemory();
  const reference = origin.publish('/stored.yaml', secret('one'));
  await open({ store }).objects(reference);
  origin.faults.add({ action: { kind: 'drop' } });
  assert.equal((await open({ store }).objects(reference))[0]?.metadata.name, 'one');
  store.contents.set(reference.sha256, Buffer.from(secret('changed')));
  await assert.rejects(open({ store }).objects(reference), /cannot download/);
  origin.faults.clear();
  assert.equal((await open({ store }).objects(reference))[0]?.metadata.name, 'one');
  assert.equal(store.contents.get(reference.sha256)?.toString(), secret('one'));
});

test('a store that does not work keeps nobody from what can be downloaded', async () => {
  const broken = async () => Promise.reject(new Error('the database is away'));
  const reference = origin.publish('/without-store.yaml', secret('one'));
  const artifacts = open({ store: { has: broken, read: broken, write: broken } });
  assert.equal((await artifacts.objects(reference)).length, 1);
});

test('what is fetched ahead is in the store before it is used', async () => {
  const store = storeInMemory();
  const reference = origin.publish('/ahead.yaml', secret('one'));
  const artifacts = open({ store });
  assert.deepEqual([await artifacts.prefetch(reference), await artifacts.prefetch(reference)], [true, false]);
  assert.equal(requestsTo(origin), 1);
  const wrong = { ...reference, sha256: 'c'.repeat(64) };
  await assert.rejects(artifacts.prefetch(wrong), isInvalid(/SHA-256/));
  assert.equal(store.contents.size, 1);
});

test('private addresses are refused, also behind a name, unless they are allowed', async () => {
  const reference = origin.publish('/private.yaml', secret('one'));
  const named = { ...reference, url: reference.url.replace('127.0.0.1', 'localhost') };
  const refusing = () => open({ privateAddresses: 'refused' });
  const message = /is not a public address, and APP_KYMA_PRIVATE_ADDRESSES_ALLOWED is false/;
  await assert.rejects(refusing().objects(reference), isInvalid(message));
  await assert.rejects(
    refusing().objects(named),
    isInvalid(/localhost has the address (127\.0\.0\.1|::1), which is not a public/),
  );
  assert.equal(requestsTo(origin), 0);
  assert.equal((await open({}).objects(named)).length, 1);
});
