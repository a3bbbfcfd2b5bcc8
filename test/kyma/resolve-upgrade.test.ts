import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Problem } from '../../src/domain/failures.ts';
import type { KymaConfig, KymaInstallation } from '../../src/domain/kyma-config.ts';
import { compareVersions } from '../../src/kyma/compare-versions.ts';
import { readPlan } from '../../src/kyma/modules/modules-plan.ts';
import { type KymaWorld, startKymaWorld } from './kyma-world.ts';

const namespace = 'kyma-system';
const path = 'config.kymaConfig';

let world: KymaWorld;
before(async () => {
  world = await startKymaWorld();
});
after(() => world.stop());

const named = (...names: readonly string[]) => names.map((component) => ({ component, namespace }));

async function upgrade(active: KymaInstallation, config: Partial<KymaConfig>, attempted?: KymaInstallation) {
  const asked = { version: '1.2.0', components: [], ...config };
  return world.catalogue.resolveUpgrade({ config: asked, path, active, attempted });
}

async function accepted(...request: Parameters<typeof upgrade>): Promise<KymaInstallation> {
  const resolved = await upgrade(...request);
  assert.ok('installation' in resolved, JSON.stringify(resolved));
  return resolved.installation;
}

async function refused(...request: Parameters<typeof upgrade>): Promise<readonly Problem[]> {
  const resolved = await upgrade(...request);
  assert.ok('problems' in resolved);
  return resolved.problems;
}

test('versions are ordered by their numbers, pre-releases before their release, and unknown names not at all', () => {
  const cases: [string, string, number | undefined][] = [
    ['1.9.2', '1.11.0', -1],
    ['v1.11.0', '1.11', 0],
    ['2026-11', '2026-2', 1],
    ['1.2.0-rc1', '1.2.0', -1],
    ['1.2.0-rc2', '1.2.0-rc10', -1],
    ['main', 'main', 0],
    ['main', '1.2.0', undefined],
  ];
  for (const [one, other, expected] of cases) {
    const found = compareVersions(one, other);
    assert.equal(found === undefined ? undefined : Math.sign(found), expected, `${one} and ${other}`);
  }
});

test('without modules an upgrade keeps what is active, configuration included', async () => {
  const configuration = [{ key: 'config.numTrustedProxies', value: '2' }];
  const components = [
    { component: 'istio', namespace, configuration },
    ...named('application-connector', 'serverless'),
  ];
  const active = await world.resolve({ version: '1.1.0', components, conflictStrategy: 'Replace' });
  const { config, plan } = await accepted(active, {});
  assert.deepEqual(config, { version: '1.2.0', components, conflictStrategy: 'Replace' });
  const versions = readPlan({ config, plan, installer: 'modules' }).modules.map(({ name, version }) => [name, version]);
  assert.deepEqual(versions, [
    ['istio', '1.12.0'],
    ['application-connector', '1.2.0'],
    ['serverless', '1.7.0'],
  ]);
});

test('with modules an upgrade has those afterwards, and what they need', async () => {
  const active = await world.resolve({ version: '1.1.0', components: named('istio', 'serverless') });
  const names = ({ config }: KymaInstallation) => config.components.map(({ component }) => component);
  assert.deepEqual(names(await accepted(active, { components: named('api-gateway') })), ['istio', 'api-gateway']);
  assert.deepEqual(names(await accepted(active, { modules: ['Serverless'] })), [
    'istio',
    'application-connector',
    'serverless',
  ]);
  assert.deepEqual(names(await accepted(active, { modules: [] })), ['istio', 'application-connector']);
});

test('no release and no module goes back, and the refusal names what is active', async () => {
  const active = await world.resolve({ version: '1.1.0' });
  assert.deepEqual(await refused(active, { version: 'regular' }), [
    {
      path: `${path}.version`,
      message:
        'Kyma 1.0.0 is older than 1.1.0, which is active: istio 1.10.2 (active: 1.11.0), ' +
        'application-connector 1.1.5 (active: 1.2.0); an upgrade goes to the same release or a newer one',
    },
  ]);
  assert.equal((await accepted(active, { version: 'fast' })).config.version, 'fast');
});

test('what is not there is refused with what is, and so is what cannot be kept', async () => {
  const active = await world.resolve({ version: '1.1.0' });
  const [unknown] = await refused(active, { components: named('monitoring') });
  assert.match(unknown?.message ?? '', /no module "monitoring" in Kyma 1\.2\.0; there is istio, application-connector/);
  const [release] = await refused(active, { version: '9.9' });
  assert.match(release?.message ?? '', /there is no Kyma 9\.9; .* versions 1\.0\.0, 1\.1\.0, 1\.2\.0/);
  const gone = { ...active, config: { ...active.config, components: named('istio', 'kiali') } };
  assert.deepEqual(await refused(gone, {}), [
    {
      path: `${path}.components`,
      message:
        'the module "kiali", which is active, is not in Kyma 1.2.0; name the modules that are to be there: ' +
        'there is istio, application-connector, api-gateway, serverless',
      code: 'KYMA_COMPONENT_INVALID',
    },
  ]);
  const configuration = [{ key: 'removed.field', value: 'x' }];
  const spoilt = {
    ...active,
    config: { ...active.config, components: [{ component: 'istio', namespace, configuration }] },
  };
  const [problem] = await refused(spoilt, {});
  assert.equal(problem?.path, `${path}.components`);
  assert.match(problem?.message ?? '', /^what is active cannot be kept: module istio: "removed.field" is not a field/);
});

test('a plan remembers what the upgrades before it may have left, once each', async () => {
  const active = await world.resolve({ version: '1.0.0' });
  const first = await accepted(active, { components: named('istio', 'serverless') });
  const second = await accepted(active, { components: named('istio', 'api-gateway') }, first);
  const third = await accepted(active, { version: '1.0.0' }, second);
  const left = readPlan(third).leftBehind?.map(({ name, version }) => `${name} ${version}`);
  assert.deepEqual(left, ['istio 1.12.0', 'api-gateway 3.0.0', 'serverless 1.7.0']);
});
