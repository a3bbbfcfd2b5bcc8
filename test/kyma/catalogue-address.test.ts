import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, afterEach, before, test } from 'node:test';
import { Failure } from '../../src/domain/failures.ts';
import { CatalogueAddress, type CatalogueStore, type ReadCatalogue } from '../../src/kyma/catalogue-address.ts';
import { Downloads } from '../../src/kyma/downloads.ts';
import { silentLog } from '../harness/silent-log.ts';
import { type ArtifactServer, startArtifactServer } from './artifact-server.ts';

let server: ArtifactServer;
const downloads = new Downloads({ privateAddresses: 'allowed', limits: { bytes: 10_000 } });

before(async () => {
  server = await startArtifactServer();
});
afterEach(() => {
  server.faults.clear();
  server.requests.clear();
});
after(() => Promise.all([server.close(), downloads.close()]));

const path = '/kyma/catalogue.json';
const catalogue = (description: string) => JSON.stringify({ description, channels: {}, releases: {} });
const url = () => new URL(`${server.url}${path}`);

function storeInMemory(): CatalogueStore & { readonly contents: Map<string, ReadCatalogue> } {
  const contents = new Map<string, ReadCatalogue>();
  return {
    contents,
    read: async (from) => contents.get(from),
    write: async (from, read) => void contents.set(from, read),
  };
}

const open = (options: { store?: CatalogueStore; sha256?: string } = {}) =>
  new CatalogueAddress({ url: url(), downloads, store: storeInMemory(), log: silentLog, ...options });
const described = async (address: CatalogueAddress) => (await address.contents()).description;

test('a catalogue is read once, and again when it is refreshed', async () => {
  server.publish(path, catalogue('first'));
  const address = open();
  assert.deepEqual(await Promise.all([described(address), described(address)]), ['first', 'first']);
  assert.equal(server.requests.counters()['artifacts GET'], 1);
  server.publish(path, catalogue('second'));
  assert.equal(await described(address), 'first');
  await address.refresh();
  assert.equal(await described(address), 'second');
});

test('what has not changed is not sent again', async () => {
  server.answer(path, { status: 200, headers: { etag: '"1"' }, body: catalogue('first') });
  const address = open();
  await address.refresh();
  // A server that finds the tag of what it was given.
  server.answer(path, { status: 304, body: '' });
  await address.refresh();
  assert.equal(await described(address), 'first');
  await assert.rejects(open().refresh(), /HTTP 304/, 'it was not asked with a tag');
});

test('a change that cannot be used leaves the last good contents in force', async () => {
  server.publish(path, catalogue('good'));
  const address = open();
  assert.equal(await described(address), 'good');
  const changes = [
    { change: () => server.publish(path, '{'), pattern: /is not JSON/ },
    { change: () => server.publish(path, '{"releases":{}}'), pattern: /channels/ },
    { change: () => server.publish(path, catalogue('x'.repeat(10_000))), pattern: /larger than 10000 bytes/ },
    { change: () => server.answer(path, { status: 404, body: '' }), pattern: /Kyma catalogue .* not there/ },
    { change: () => server.faults.add({ action: { kind: 'drop' } }), pattern: /cannot download/ },
    {
      change: () => {
        server.faults.clear();
        server.answer(path, { status: 302, headers: { location: 'https://elsewhere.example.com/' }, body: '' });
      },
      pattern: /APP_KYMA_CATALOGUE_URL does not name the host elsewhere/,
    },
  ];
  for (const { change, pattern } of changes) {
    change();
    await assert.rejects(address.refresh(), pattern);
    assert.equal(await described(address), 'good');
  }
});

test('an address that does not answer at the start is replaced by what was read last, by whatever replica', async () => {
  const store = storeInMemory();
  server.publish(path, catalogue('shared'));
  await open({ store }).contents();
  server.faults.add({ action: { kind: 'drop' } });
  assert.equal(await described(open({ store })), 'shared');
  await assert.rejects(open().contents(), (error) => {
    assert.ok(error instanceof Failure);
    assert.equal(error.code, 'KYMA_CATALOGUE_UNAVAILABLE');
    return true;
  });
});

test('with a digest, only the very same contents are used, also from the store', async () => {
  const sha256 = createHash('sha256').update(catalogue('pinned')).digest('hex');
  server.publish(path, catalogue('pinned'));
  const store = storeInMemory();
  const address = open({ sha256, store });
  assert.equal(await described(address), 'pinned');
  server.publish(path, catalogue('other'));
  await assert.rejects(address.refresh(), /its SHA-256 is .*, but APP_KYMA_CATALOGUE_SHA256 says/);
  assert.equal(await described(address), 'pinned');
  server.faults.add({ action: { kind: 'drop' } });
  store.contents.set(url().href, { content: catalogue('other'), etag: undefined });
  await assert.rejects(open({ sha256, store }).contents(), /there is no catalogue of Kyma releases/);
});
