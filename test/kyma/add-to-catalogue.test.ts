import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { Artifacts as PublishedArtifacts } from '../../landscape/artifacts/artifacts.ts';
import { addToCatalogue, type CatalogueAddition } from '../../src/kyma/add-to-catalogue.ts';
import type { CatalogueContents } from '../../src/kyma/catalogue-file.ts';
import { silentLog } from '../harness/silent-log.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';
import { type ArtifactServer, startArtifactServer } from './artifact-server.ts';

let server: ArtifactServer;
let expected: CatalogueContents;

before(async () => {
  server = await startArtifactServer();
  const published = new PublishedArtifacts();
  expected = published.catalogue(server.url) as CatalogueContents;
  for (const { manifest, defaultResource } of Object.values(expected.releases['1.2.0']?.modules ?? {})) {
    for (const { url } of [manifest, defaultResource]) {
      const { pathname } = new URL(url);
      const request = { method: 'GET', path: pathname, headers: {}, body: '' };
      server.answer(pathname, published.handle(request as never));
    }
  }
});
after(() => server.close());

function addition(name: string, changes: Partial<CatalogueAddition> = {}): CatalogueAddition {
  const module = expected.releases['1.2.0']?.modules[name];
  assert.ok(module);
  return {
    ...{ path: path.join(temporaryFolder(), 'catalogue.json'), release: '1.2.0', module: name, log: silentLog },
    ...{ version: module.version, manifest: module.manifest.url, resource: module.defaultResource.url },
    ...{ requires: module.requires, minimal: false, channels: [] },
    ...changes,
  };
}

test('a catalogue built from addresses is the one that was published, digests included', async () => {
  const { path: file } = addition('istio');
  const modules = Object.keys(expected.releases['1.2.0']?.modules ?? {});
  for (const name of modules) {
    const minimal = ['istio', 'application-connector'].includes(name);
    await addToCatalogue(addition(name, { path: file, minimal, channels: ['newest'] }));
  }
  const built = JSON.parse(readFileSync(file, 'utf8')) as CatalogueContents;
  const { confidential, ...published } = expected.releases['1.2.0']?.modules.serverless ?? {};
  assert.ok(confidential);
  assert.deepEqual(built.releases['1.2.0']?.modules, { ...expected.releases['1.2.0']?.modules, serverless: published });
  assert.deepEqual(built.releases['1.2.0']?.minimal, expected.releases['1.2.0']?.minimal);

  // It is added by hand, and stays when the module is added again.
  const completed = { ...built.releases['1.2.0']?.modules, serverless: { ...published, confidential } };
  const releases = { '1.2.0': { ...built.releases['1.2.0'], modules: completed } };
  writeFileSync(file, JSON.stringify({ ...built, releases }));
  await addToCatalogue(addition('serverless', { path: file }));
  const again = JSON.parse(readFileSync(file, 'utf8')) as CatalogueContents;
  assert.deepEqual(again.releases, { '1.2.0': expected.releases['1.2.0'] });
  assert.deepEqual(built.channels, { newest: '1.2.0' });
});

test('where a file was redirected to is remembered, its own address is what is stored', async () => {
  const given = addition('istio');
  const target = new URL(given.manifest);
  server.answer('/latest.yaml', { status: 302, headers: { location: target.href }, body: '' });
  await addToCatalogue({ ...given, manifest: `${server.url}/latest.yaml` });
  const { releases, redirectHosts } = JSON.parse(readFileSync(given.path, 'utf8')) as CatalogueContents;
  assert.deepEqual(redirectHosts, [server.host]);
  assert.equal(releases['1.2.0']?.modules.istio?.manifest.url, `${server.url}/latest.yaml`);
});

test('what the service would not take is not written, and the message says why', async () => {
  const cases: [Partial<CatalogueAddition>, RegExp][] = [
    [{ requires: ['monitoring'] }, /no module "monitoring"/],
    [{ manifest: `${server.url}/nowhere.yaml` }, /nowhere\.yaml cannot be used: it is not there \(HTTP 404\)/],
    [{ manifest: 'http://127.0.0.1/istio.yaml' }, /only https is allowed/],
    [{ manager: 'another' }, /has no Deployment another; it has istio-controller-manager/],
    [
      { resource: addition('serverless').resource },
      /no object of a kind that the manifest defines; it has Serverless of/,
    ],
  ];
  for (const [changes, message] of cases) {
    const given = addition('istio', changes);
    await assert.rejects(addToCatalogue(given), { message });
    assert.equal(existsSync(given.path), false, String(message));
  }
  const given = addition('istio', { requires: ['monitoring'] });
  writeFileSync(given.path, '{"channels":{},"releases":{}}');
  await assert.rejects(addToCatalogue(given));
  assert.equal(readFileSync(given.path, 'utf8'), '{"channels":{},"releases":{}}');
});
