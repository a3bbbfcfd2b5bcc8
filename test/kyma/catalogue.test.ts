import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import type { KymaConfig } from '../../src/domain/kyma-config.ts';
import type { Logger } from '../../src/domain/logger.ts';
import { Artifacts } from '../../src/kyma/artifacts.ts';
import { kymaCatalogue } from '../../src/kyma/catalogue.ts';
import { CatalogueFile } from '../../src/kyma/catalogue-file.ts';
import type { KymaCatalogue } from '../../src/kyma/kyma-installer.ts';
import { readPlan } from '../../src/kyma/modules/modules-plan.ts';
import { silentLog } from '../harness/silent-log.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';
import { type ArtifactServer, startArtifactServer } from './artifact-server.ts';

const istioDefinition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: istios.operator.kyma-project.io }
spec:
  group: operator.kyma-project.io
  names: { kind: Istio, plural: istios }
  scope: Namespaced
  versions:
    - name: v1
      served: true
      schema:
        openAPIV3Schema:
          properties:
            spec: { properties: { config: { properties: { numTrustedProxies: { type: integer } } } } }
`;
let server: ArtifactServer;
let artifacts: Artifacts;
let catalogue: KymaCatalogue;
let catalogueModules: Record<string, object>;
let file: CatalogueFile;

before(async () => {
  server = await startArtifactServer();
  const manifest = server.publish('/istio.yaml', istioDefinition);
  const missing = { url: `${server.url}/missing.yaml`, sha256: 'c'.repeat(64) };
  const module = (kind: string, requires: string[]) => ({
    version: '1.11.0',
    namespace: 'kyma-system',
    requires,
    manifest: kind === 'Istio' ? manifest : missing,
    defaultResource: manifest,
    resource: { apiVersion: 'operator.kyma-project.io/v1', kind, name: 'default', namespace: 'kyma-system' },
    manager: { apiVersion: 'apps/v1', kind: 'Deployment', name: `${kind}-manager`, namespace: 'kyma-system' },
  });
  catalogueModules = {
    'api-gateway': module('APIGateway', ['application-connector', 'istio']),
    'application-connector': module('ApplicationConnector', ['istio']),
    istio: module('Istio', []),
  };
  file = writeCatalogue({
    channels: { fast: '1.1.0' },
    releases: { '1.1.0': { modules: catalogueModules, minimal: ['application-connector'] } },
  });
  artifacts = new Artifacts({ privateAddresses: 'allowed', trustedHosts: () => file.trustedHosts(), log: silentLog });
  catalogue = kymaCatalogue({ file, artifacts, log: silentLog });
});
after(async () => {
  await artifacts.close();
  await server.close();
});

function writeCatalogue(contents: unknown, log: Logger = silentLog): CatalogueFile & { rewrite(text: string): void } {
  const where = path.join(temporaryFolder(), 'catalogue.json');
  const rewrite = (text: string) => writeFileSync(where, text);
  rewrite(typeof contents === 'string' ? contents : JSON.stringify(contents));
  return Object.assign(new CatalogueFile({ path: where, log }), { rewrite });
}

async function resolve(config: Partial<KymaConfig>) {
  return catalogue.resolve({ version: 'fast', components: [], ...config }, 'config.kymaConfig');
}

const istio = { component: 'istio', namespace: 'kyma-system' };

test('a channel or a version becomes modules with what they require, each after it', async () => {
  const cases: { version: string; names: string[]; expected: string[]; reason: string }[] = [
    { version: 'fast', names: [], expected: ['istio', 'application-connector'], reason: 'the minimal set' },
    { version: '1.1.0', names: ['istio'], expected: ['istio'], reason: 'only what is named' },
    {
      version: 'fast',
      names: ['api-gateway', 'istio'],
      expected: ['istio', 'application-connector', 'api-gateway'],
      reason: 'dependencies of dependencies, once each',
    },
  ];
  for (const { version, names, expected, reason } of cases) {
    const components = names.map((component) => ({ component, namespace: 'kyma-system' }));
    const resolved = await resolve({ version, components });
    assert.ok('installation' in resolved, reason);
    const plan = readPlan(resolved.installation);
    assert.equal(plan.release, '1.1.0', reason);
    assert.deepEqual(
      plan.modules.map(({ name }) => name),
      expected,
      reason,
    );
    assert.deepEqual(
      resolved.installation.config.components.map(({ component }) => component),
      expected,
      'the answered components are those that will be there',
    );
  }
});

test('where dependencies are refused, each module says what it needs, and the minimal set is completed all the same', async () => {
  const strict = kymaCatalogue({ file, artifacts, dependencies: 'refuse', log: silentLog });
  const refusals = async (config: Partial<KymaConfig>) => {
    const resolved = await strict.resolve({ version: 'fast', components: [], ...config }, 'config.kymaConfig');
    return 'problems' in resolved ? resolved.problems.map(({ path: at, message }) => `${at}: ${message}`) : [];
  };
  const connector = { component: 'application-connector', namespace: 'kyma-system' };
  const gateway = { component: 'api-gateway', namespace: 'kyma-system' };
  const needsIstio = (at: string, name: string) =>
    `config.kymaConfig.${at}: the module ${name} of Kyma 1.1.0 needs istio; name what it needs, too`;
  assert.deepEqual(await refusals({ components: [gateway, connector] }), [
    needsIstio('components.0.component', 'api-gateway'),
    needsIstio('components.1.component', 'application-connector'),
  ]);
  assert.match((await refusals({ components: [gateway] })).join(), /needs application-connector, istio; name/);
  assert.deepEqual(await refusals({ components: [gateway, istio, connector] }), []);
  assert.deepEqual(await refusals({ modules: ['ApiGateway'] }), []);
  assert.deepEqual(await refusals({}), []);
});

test('a release without a minimal set has to be told what to install', async () => {
  const bare = writeCatalogue({ channels: {}, releases: { '1.1.0': { modules: catalogueModules, minimal: [] } } });
  const resolved = await kymaCatalogue({ file: bare, artifacts, log: silentLog }).resolve(
    { version: '1.1.0', components: [] },
    'config.kymaConfig',
  );
  assert.ok('problems' in resolved);
  const [problem, ...others] = resolved.problems;
  assert.deepEqual([problem?.path, others], ['config.kymaConfig.components', []]);
  assert.match(
    problem?.message ?? '',
    /list is empty; .* name them: there is api-gateway, application-connector, istio$/,
  );
});

test('modules are added to the minimal set, under the names of 2019, too', async () => {
  const cases: { config: Partial<KymaConfig>; expected: string[] }[] = [
    { config: { modules: ['ApiGateway'] }, expected: ['istio', 'application-connector', 'api-gateway'] },
    {
      config: { modules: ['istio', 'api-gateway', 'Istio'] },
      expected: ['istio', 'application-connector', 'api-gateway'],
    },
    { config: { modules: [] }, expected: ['istio', 'application-connector'] },
    { config: { modules: ['Istio'], components: [istio] }, expected: ['istio', 'application-connector'] },
  ];
  for (const { config, expected } of cases) {
    const resolved = await resolve(config);
    assert.ok('installation' in resolved, JSON.stringify(resolved));
    const { config: stored } = resolved.installation;
    assert.deepEqual(
      stored.components.map(({ component }) => component),
      expected,
    );
    assert.deepEqual(stored.modules, config.modules, 'answered as they were asked for');
  }
  assert.deepEqual(await resolve({ modules: ['istio', 'Backup'] }), {
    problems: [
      {
        path: 'config.kymaConfig.modules.1',
        message: 'there is no module "Backup" in Kyma 1.1.0; there is api-gateway, application-connector, istio',
        code: 'KYMA_COMPONENT_INVALID',
      },
    ],
  });
});

test('every mistake is told with its path and what is right', async () => {
  const cases: { config: Partial<KymaConfig>; path: string; pattern: RegExp; reason: string }[] = [
    {
      reason: 'unknown version',
      config: { version: '9.9' },
      path: 'version',
      pattern: /no Kyma 9.9; there are the channels fast and the versions 1.1.0/,
    },
    { reason: 'a name that every object has', config: { version: 'constructor' }, path: 'version', pattern: /no Kyma/ },
    {
      reason: 'unknown module',
      config: { components: [{ component: 'constructor', namespace: 'kyma-system' }] },
      path: 'components.0.component',
      pattern: /no module "constructor" in Kyma 1.1.0; there is api-gateway, application-connector, istio/,
    },
    {
      reason: 'wrong namespace',
      config: { components: [{ ...istio, namespace: 'istio-system' }] },
      path: 'components.0.namespace',
      pattern: /lives in the namespace kyma-system, not in "istio-system"/,
    },
    { reason: 'twice', config: { components: [istio, istio] }, path: 'components.1.component', pattern: /named twice/ },
    {
      reason: 'own source',
      config: { components: [{ ...istio, sourceURL: 'https://example.com/a.tgz' }] },
      path: 'components.0.sourceURL',
      pattern: /sourceURL is not supported/,
    },
    { reason: 'profile', config: { profile: 'Evaluation' }, path: 'profile', pattern: /Evaluation is not supported/ },
    {
      reason: 'global configuration',
      config: { configuration: [{ key: 'a', value: 'b' }] },
      path: 'configuration',
      pattern: /global configuration is not supported/,
    },
    {
      reason: 'unknown field',
      config: { components: [{ ...istio, configuration: [{ key: 'config.nope', value: '1' }] }] },
      path: 'components.0.configuration.0.key',
      pattern: /module istio: .*there is numTrustedProxies/,
    },
    {
      reason: 'wrong type',
      config: { components: [{ ...istio, configuration: [{ key: 'config.numTrustedProxies', value: 'many' }] }] },
      path: 'components.0.configuration.0.value',
      pattern: /whole number, not "many"/,
    },
    {
      reason: 'confidential',
      config: {
        components: [{ ...istio, configuration: [{ key: 'config.numTrustedProxies', value: '1', secret: true }] }],
      },
      path: 'components.0.configuration.0.secret',
      pattern: /maps no confidential entry/,
    },
  ];
  for (const { config, path, pattern, reason } of cases) {
    const resolved = await resolve(config);
    assert.ok('problems' in resolved, reason);
    assert.deepEqual(
      resolved.problems.map((problem) => problem.path),
      [`config.kymaConfig.${path}`],
      reason,
    );
    assert.match(resolved.problems[0]?.message ?? '', pattern, reason);
  }
});

test('all mistakes are told at once', async () => {
  const components = [
    { component: 'nope', namespace: 'x' },
    { ...istio, namespace: 'y' },
  ];
  const resolved = await resolve({ profile: 'Production', components });
  assert.ok('problems' in resolved);
  assert.equal(resolved.problems.length, 3);
});

test('a configuration is accepted when the schema cannot be had now', async () => {
  const component = { component: 'application-connector', namespace: 'kyma-system' };
  const resolved = await resolve({ components: [{ ...component, configuration: [{ key: 'any.thing', value: '1' }] }] });
  assert.ok('installation' in resolved);
});

test('a plan holds no configuration', async () => {
  const configured = { ...istio, configuration: [{ key: 'config.numTrustedProxies', value: '4242' }] };
  const resolved = await resolve({ components: [configured] });
  assert.ok('installation' in resolved);
  assert.doesNotMatch(JSON.stringify(resolved.installation.plan), /4242/);
});

test('a changed catalogue is read again, and a spoilt one is not used', async () => {
  const errors: string[] = [];
  const log: Logger = { ...silentLog, error: (_, message) => void errors.push(message) };
  const contents = (version: string) => ({
    channels: { fast: version },
    releases: { [version]: { modules: {}, minimal: [] } },
  });
  const changing = writeCatalogue(contents('1.0.0'), log);
  assert.deepEqual((await changing.contents()).channels, { fast: '1.0.0' });
  changing.rewrite(JSON.stringify(contents('2.0.0.0')));
  assert.deepEqual((await changing.contents()).channels, { fast: '2.0.0.0' });
  changing.rewrite('{');
  assert.deepEqual((await changing.contents()).channels, { fast: '2.0.0.0' });
  await changing.contents();
  assert.equal(errors.length, 1);
  changing.rewrite(JSON.stringify(contents('3.0')));
  assert.deepEqual((await changing.contents()).channels, { fast: '3.0' });
});

test('a catalogue that cannot be right is refused with every reason', async () => {
  const module = { ...catalogueModules.istio, requires: ['istio'] };
  const cases: { contents: unknown; pattern: RegExp; reason: string }[] = [
    { reason: 'not JSON', contents: 'channels:', pattern: /is not JSON/ },
    {
      reason: 'a field that nobody reads',
      contents: { channels: {}, releases: {}, relaeses: {} },
      pattern: /relaeses/,
    },
    {
      reason: 'a channel to nowhere',
      contents: { channels: { fast: '1' }, releases: {} },
      pattern: /channels.fast: there is no release "1"/,
    },
    {
      reason: 'unknown modules and circles',
      contents: { channels: {}, releases: { '1': { modules: { istio: module }, minimal: ['serverless'] } } },
      pattern: /minimal: no module "serverless"; .*requires itself/,
    },
    {
      reason: 'an address that is not https, a digest that is none',
      contents: {
        channels: {},
        releases: {
          '1': {
            modules: { istio: { ...module, requires: [], manifest: { url: 'http://example.com', sha256: 'x' } } },
            minimal: [],
          },
        },
      },
      pattern: /manifest.url.*manifest.sha256/s,
    },
  ];
  for (const { contents, pattern, reason } of cases) {
    await assert.rejects(writeCatalogue(contents).contents(), pattern, reason);
  }
});
