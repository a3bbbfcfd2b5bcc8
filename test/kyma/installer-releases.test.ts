import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { KymaComponent, KymaConfig, KymaInstallation } from '../../src/domain/kyma-config.ts';
import { Artifacts } from '../../src/kyma/artifacts.ts';
import { kymaCatalogue } from '../../src/kyma/catalogue.ts';
import { CatalogueFile } from '../../src/kyma/catalogue-file.ts';
import { isPublicAddress } from '../../src/kyma/public-address.ts';
import { atEnd } from '../harness/at-end.ts';
import { silentLog } from '../harness/silent-log.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

const artifact = { url: 'https://releases.example.com/kyma-installer-cluster.yaml', sha256: 'a'.repeat(64) };
const entry = {
  installer: artifact,
  components: [
    { name: 'cluster-essentials', namespace: 'kyma-system' },
    { name: 'istio', namespace: 'istio-system' },
    { name: 'prometheus-operator', namespace: 'kyma-system' },
  ],
  minimal: ['cluster-essentials', 'istio'],
};
const istio: KymaComponent = { component: 'istio', namespace: 'istio-system' };

/** What the hosts of this test resolve to. */
const addresses: Readonly<Record<string, readonly string[]>> = {
  'charts.example.com': ['203.0.114.10', '2a00:1450:4001::1'],
  'inside.example.com': ['203.0.114.10', '10.0.0.7'],
};

function catalogueFile(contents: object): CatalogueFile {
  const where = path.join(temporaryFolder(), 'catalogue.json');
  writeFileSync(where, JSON.stringify({ channels: {}, releases: {}, ...contents }));
  return new CatalogueFile({ path: where, log: silentLog });
}

const file = catalogueFile({
  installerReleases: {
    '1.13.1': { ...entry, tiller: artifact },
    '1.22.0': entry,
    '1.23.0': entry,
    '1.24.11': { ...entry, components: entry.components.slice(0, 2) },
  },
  sourceHosts: ['charts.example.com', 'inside.example.com', 'gone.example.com'],
});
const artifacts = new Artifacts({
  privateAddresses: 'allowed',
  trustedHosts: () => file.trustedHosts(),
  log: silentLog,
});
atEnd(() => artifacts.close());
const catalogue = kymaCatalogue({
  ...{ file, artifacts, log: silentLog },
  resolveHost: async (host) => {
    const found = addresses[host];
    if (!found) throw new Error(`getaddrinfo ENOTFOUND ${host}`);
    return found;
  },
  askSource: async () => ({ status: 200 }),
});

async function resolve(config: Partial<KymaConfig>) {
  return catalogue.resolve({ version: '1.23.0', components: [], ...config }, 'kymaConfig');
}

async function resolved(config: Partial<KymaConfig>): Promise<KymaInstallation> {
  const answer = await resolve(config);
  assert.ok('installation' in answer, JSON.stringify(answer));
  return answer.installation;
}

const namesOf = ({ config }: KymaInstallation) => config.components.map(({ component }) => component);

test('components stay in the order of the caller; modules are put into that of the release', async () => {
  const mine = { component: 'mine', namespace: 'mine', sourceURL: 'https://charts.example.com/mine.tgz' };
  const cases: { config: Partial<KymaConfig>; expected: string[] }[] = [
    { config: {}, expected: ['cluster-essentials', 'istio'] },
    { config: { components: [mine, istio] }, expected: ['mine', 'istio'] },
    {
      config: { modules: ['PrometheusOperator'], components: [mine] },
      expected: ['cluster-essentials', 'istio', 'prometheus-operator', 'mine'],
    },
  ];
  for (const { config, expected } of cases) {
    const installation = await resolved(config);
    assert.equal(installation.installer, 'installer-cr');
    assert.deepEqual(namesOf(installation), expected);
  }
});

test('every mistake is told with its path and what is right', async () => {
  const source = (sourceURL: string): Partial<KymaConfig> => ({
    components: [{ component: 'mine', namespace: 'mine', sourceURL }],
  });
  const entries = (...keys: readonly string[]): Partial<KymaConfig> => ({
    components: [{ ...istio, configuration: keys.map((key) => ({ key, value: '1' })) }],
  });
  const cases: { config: Partial<KymaConfig>; at: string; pattern: RegExp }[] = [
    {
      config: { components: [{ component: 'knative', namespace: 'x' }] },
      at: 'components.0.component',
      pattern:
        /no component "knative" in Kyma 1\.23\.0; there is cluster-essentials, istio, prometheus-operator; others need a sourceURL/,
    },
    { config: { modules: ['Kiali'] }, at: 'modules.0', pattern: /no module "Kiali" in Kyma 1\.23\.0/ },
    { config: { components: [istio, istio] }, at: 'components.1.component', pattern: /named twice/ },
    {
      config: { components: [{ ...istio, namespace: 'x' }] },
      at: 'components.0.namespace',
      pattern: /lives in the namespace istio-system, not in "x"/,
    },
    {
      config: { components: [{ component: 'Mine', namespace: 'mine', sourceURL: 'https://charts.example.com/a.zip' }] },
      at: 'components.0.component',
      pattern: /"Mine" is not a name such as my-component/,
    },
    { config: source('http://charts.example.com/a'), at: 'components.0.sourceURL', pattern: /begins with https/ },
    {
      config: source('https://charts.example.com/a'),
      at: 'components.0.sourceURL',
      pattern: /it is not the address of an archive, which ends with \.zip/,
    },
    {
      config: source('https://charts.example.com/a.zip?archive=false'),
      at: 'components.0.sourceURL',
      pattern: /not the address of an archive/,
    },
    {
      config: source('https://charts.example.com/a.zip?checksum=file:https://10.0.0.1/'),
      at: 'components.0.sourceURL',
      pattern: /a checksum at another address/,
    },
    { config: source('nonsense'), at: 'components.0.sourceURL', pattern: /begins with https/ },
    { config: source('https://me:pw@charts.example.com/a'), at: 'components.0.sourceURL', pattern: /credentials/ },
    {
      config: source('https://evil.example.com/a'),
      at: 'components.0.sourceURL',
      pattern: /evil\.example\.com is not among the sourceHosts of the catalogue: there is charts\.example\.com, /,
    },
    {
      config: source('https://charts.example.com:8443/a'),
      at: 'components.0.sourceURL',
      pattern: /:8443 is not among/,
    },
    {
      config: source('https://inside.example.com/a'),
      at: 'components.0.sourceURL',
      pattern: /has the address 10\.0\.0\.7, which is not a public one/,
    },
    {
      config: source('https://gone.example.com/a'),
      at: 'components.0.sourceURL',
      pattern: /cannot be found: .*ENOTFOUND/,
    },
    { config: entries('a b'), at: 'components.0.configuration.0.key', pattern: /"a b" is not a dotted path/ },
    { config: entries('a..b'), at: 'components.0.configuration.0.key', pattern: /not a dotted path/ },
    { config: entries('a', 'a'), at: 'components.0.configuration.1.key', pattern: /"a" is set twice/ },
    {
      config: entries('a.b', 'a'),
      at: 'components.0.configuration.1.key',
      pattern: /"a" and "a\.b" set the same value/,
    },
    {
      config: { configuration: [{ key: '', value: '1' }] },
      at: 'configuration.0.key',
      pattern: /not a dotted path/,
    },
  ];
  for (const { config, at, pattern } of cases) {
    const answer = await resolve(config);
    assert.ok('problems' in answer, `${at} ${pattern}`);
    assert.deepEqual(
      answer.problems.map((problem) => problem.path),
      [`kymaConfig.${at}`],
      `${pattern}`,
    );
    assert.match(answer.problems[0]?.message ?? '', pattern);
  }
});

test('private, loopback and link-local addresses are not public, however they are written', () => {
  const inside = ['10.1.2.3', '127.0.0.1', '169.254.169.254', '172.31.0.1', '192.168.1.1', '100.64.0.1', '0.0.0.0'];
  const inside6 = ['::1', '::', 'fe80::1', 'fd00::1', '::ffff:10.0.0.1', '::ffff:169.254.169.254', 'ff02::1', 'host'];
  const embedded = ['::127.0.0.1', '2002:7f00:1::', '2001:0:a00:1::', '64:ff9b::a00:1', 'fec0::1', '203.0.113.1'];
  for (const address of [...inside, ...inside6, ...embedded]) assert.equal(isPublicAddress(address), false, address);
  for (const address of ['8.8.8.8', '172.32.0.1', '2a00:1450::1', '2001:4860:4860::8888', '::ffff:8.8.8.8']) {
    assert.equal(isPublicAddress(address), true, address);
  }
});

test('an upgrade goes to the same minor version or the next one, and keeps what it does not name', async () => {
  const active = await resolved({
    version: '1.22.0',
    profile: 'Production',
    configuration: [{ key: 'global.a', value: '1' }],
    components: [istio, { component: 'prometheus-operator', namespace: 'kyma-system' }],
  });
  const upgrade = (version: string, components: readonly KymaComponent[] = []) =>
    catalogue.resolveUpgrade({ config: { version, components }, path: 'kymaConfig', active });
  const kept = await upgrade('1.23.0');
  assert.ok('installation' in kept);
  assert.deepEqual(kept.installation.config, { ...active.config, version: '1.23.0' });
  const named = await upgrade('1.23.0', [{ component: 'cluster-essentials', namespace: 'kyma-system' }]);
  assert.ok('installation' in named);
  assert.deepEqual(namesOf(named.installation), ['cluster-essentials', 'istio', 'prometheus-operator']);
  assert.equal(named.installation.config.profile, undefined, 'what is given is given whole');
  const refusals: readonly (readonly [string, RegExp])[] = [
    ['1.13.1', /Kyma 1\.13\.1 is older than 1\.22\.0, which is active/],
    ['1.24.11', /one minor version at a time, and 1\.22\.0 is active; there is 1\.23\.0/],
    ['9', /there is no Kyma 9; .* the versions 1\.13\.1, 1\.22\.0, 1\.23\.0, 1\.24\.11/],
  ];
  for (const [version, pattern] of refusals) {
    const answer = await upgrade(version);
    assert.ok('problems' in answer, version);
    assert.deepEqual(
      answer.problems.map((problem) => problem.path),
      ['kymaConfig.version'],
    );
    assert.match(answer.problems[0]?.message ?? '', pattern);
  }
});

test('a component that a failed upgrade was to bring is not brought by the next one', async () => {
  const active = await resolved({ version: '1.22.0', components: [istio] });
  const attempted = await resolved({
    version: '1.22.0',
    components: [istio, { component: 'prometheus-operator', namespace: 'kyma-system' }],
  });
  const config = { version: '1.23.0', components: [] };
  const answer = await catalogue.resolveUpgrade({ config, path: 'kymaConfig', active, attempted });
  assert.ok('installation' in answer);
  assert.deepEqual(namesOf(answer.installation), ['istio']);
  assert.deepEqual((answer.installation.plan as { leftBehind: unknown }).leftBehind, ['prometheus-operator']);
});

test('a catalogue with an impossible release of Kyma 1 is refused with the reason', async () => {
  const release = (id: string, more: object = {}) => ({ installerReleases: { [id]: { ...entry, ...more } } });
  const cases: readonly (readonly [object, RegExp])[] = [
    [release('latest'), /installerReleases\.latest\.installer: "latest" is not a version of Kyma 1/],
    [release('1.13.0'), /1\.13\.0\.tiller: Kyma up to 1\.13 needs tiller/],
    [release('1.14.0', { tiller: artifact }), /1\.14\.0\.tiller: Kyma from 1\.14 on does not need tiller/],
    [release('1.24.0', { minimal: ['x'] }), /minimal: no component "x"/],
    [
      release('1.24.0', { components: [entry.components[0], ...entry.components] }),
      /"cluster-essentials" is named twice/,
    ],
    [{ ...release('1.24.0'), channels: { old: '1.24.0' } }, /channels\.old: there is no release "1\.24\.0"/],
    [{ ...release('1.24.0'), releases: { '1.24.0': { modules: {}, minimal: [] } } }, /release of modules, too/],
  ];
  for (const [contents, pattern] of cases) await assert.rejects(catalogueFile(contents).contents(), pattern);
});
