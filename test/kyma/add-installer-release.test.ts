import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { kymaOneReleases } from '../../landscape/artifacts/kyma-1-releases.ts';
import {
  addInstallerRelease,
  type InstallerReleaseAddition,
  parseComponent,
} from '../../src/kyma/add-installer-release.ts';
import type { ArtifactReference } from '../../src/kyma/artifacts.ts';
import { silentLog } from '../harness/silent-log.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';
import { type ArtifactServer, startArtifactServer } from './artifact-server.ts';

interface Published {
  readonly installer: ArtifactReference;
  readonly tiller?: ArtifactReference;
  readonly components: readonly { readonly name: string; readonly namespace: string }[];
}

let server: ArtifactServer;
const published = new Map<string, Published>();

before(async () => {
  server = await startArtifactServer();
  for (const { version, installer, tiller, components } of kymaOneReleases) {
    published.set(version, {
      installer: server.publish(`/${version}/kyma-installer-cluster.yaml`, installer),
      ...(tiller !== undefined && { tiller: server.publish(`/${version}/tiller.yaml`, tiller) }),
      components,
    });
  }
});
after(() => server.close());

function releaseOf(version: string): Published {
  const found = published.get(version);
  assert.ok(found, version);
  return found;
}

function addition(version: string, changes: Partial<InstallerReleaseAddition> = {}): InstallerReleaseAddition {
  const { installer, tiller } = releaseOf(version);
  return {
    ...{ path: path.join(temporaryFolder(), 'catalogue.json'), version, log: silentLog },
    ...{ installer: installer.url, tiller: tiller?.url, components: [], minimal: [] },
    ...changes,
  };
}

const read = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Record<string, Record<string, unknown>>;

test('releases of Kyma 1 are described by their own files, beside what the catalogue has already', async () => {
  const given = addition('1.24.11', { minimal: ['istio'] });
  const others = { description: 'mine', channels: {}, releases: { '2.0': { modules: {}, minimal: [] } } };
  writeFileSync(given.path, JSON.stringify(others));
  await addInstallerRelease(given);
  await addInstallerRelease(addition('1.11.0', { path: given.path }));
  const { installerReleases, ...kept } = read(given.path);
  assert.deepEqual(kept, others);
  const early = releaseOf('1.11.0');
  assert.deepEqual(installerReleases, {
    '1.24.11': { ...releaseOf('1.24.11'), minimal: ['istio'] },
    '1.11.0': { ...early, minimal: early.components.map(({ name }) => name) },
  });
});

test('components that are named replace those of the Installation, in their order', async () => {
  const components = ['compass-runtime-agent=compass-system', 'mine=my-namespace'].map(parseComponent);
  const given = addition('1.24.11', { components });
  server.answer('/latest.yaml', { status: 302, headers: { location: given.installer }, body: '' });
  await addInstallerRelease({ ...given, installer: `${server.url}/latest.yaml` });
  const { installerReleases, redirectHosts } = read(given.path);
  const { installer } = releaseOf('1.24.11');
  assert.deepEqual(installerReleases?.['1.24.11'], {
    installer: { ...installer, url: `${server.url}/latest.yaml` },
    ...{ components, minimal: ['compass-runtime-agent', 'mine'] },
  });
  assert.deepEqual(redirectHosts, [server.host]);
  for (const wrong of ['istio', '=istio', 'istio=', 'a=b=c']) {
    assert.throws(() => parseComponent(wrong), { message: /is not NAME=NAMESPACE/ }, wrong);
  }
});

test('what the service would not take is not written, and the message says why', async () => {
  const { tiller, installer } = releaseOf('1.11.0');
  const cases: readonly (readonly [string, Partial<InstallerReleaseAddition>, RegExp])[] = [
    ['1.11.0', { tiller: undefined }, /1\.11\.0\.tiller: Kyma up to 1\.13 needs tiller/],
    ['1.24.11', { tiller: tiller?.url }, /1\.24\.11\.tiller: Kyma from 1\.14 on does not need tiller; leave it out/],
    [
      '1.24.11',
      { installer: tiller?.url ?? '' },
      /has no Deployment kyma-installer\/kyma-installer, or not exactly one/,
    ],
    ['1.24.11', { version: 'latest' }, /"latest" is not a version of Kyma 1/],
    ['1.24.11', { minimal: ['backup'] }, /1\.24\.11\.minimal: no component "backup"/],
    [
      '1.24.11',
      { installer: `${server.url}/nowhere.yaml` },
      /nowhere\.yaml cannot be used: it is not there \(HTTP 404\)/,
    ],
    ['1.24.11', { installer: installer.url.replace('https', 'http') }, /only https is allowed/],
    ['1.11.0', { tiller: server.publish('/empty.yaml', '').url }, /empty\.yaml has no Deployment of Tiller/],
  ];
  for (const [version, changes, message] of cases) {
    const given = addition(version, changes);
    await assert.rejects(addInstallerRelease(given), { message });
    assert.equal(existsSync(given.path), false, String(message));
  }
});
