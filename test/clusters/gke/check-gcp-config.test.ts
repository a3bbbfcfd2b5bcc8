import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkGcpConfig } from '../../../src/clusters/gke/check-gcp-config.ts';
import { describeSize } from '../../../src/clusters/gke/cluster-request.ts';
import { type GcpConfig, gkeLocation, totalNumberOfNodes } from '../../../src/domain/gcp-config.ts';
import { newOrder } from './orders.ts';

const mistakes: readonly { readonly given: Partial<GcpConfig>; readonly path: string; readonly words: RegExp }[] = [
  { given: { name: 'Runtime_1' }, path: 'name', words: /"Runtime_1" is not 1 to 40 lower-case letters/ },
  { given: { name: 'a'.repeat(41) }, path: 'name', words: /1 to 40/ },
  { given: { name: 'runtime-' }, path: 'name', words: /no hyphen last/ },
  { given: { projectName: 'My Project' }, path: 'projectName', words: /not the id of a project such as my-project/ },
  {
    given: { kubernetesVersion: 'latest' },
    path: 'kubernetesVersion',
    words: /such as 1\.34, 1\.34\.3 or 1\.34\.3-gke/,
  },
  { given: { region: 'Frankfurt' }, path: 'region', words: /neither a region such as europe-west3 nor a zone/ },
  {
    given: { region: 'europe-west3', zone: 'europe-west4-a' },
    path: 'zone',
    words: /does not lie in the region europe-west3/,
  },
  { given: { region: 'europe-west3', zone: 'europe-west3' }, path: 'zone', words: /is not a zone such as/ },
  {
    given: { region: 'europe-west3-a', zone: 'europe-west3-b' },
    path: 'zone',
    words: /not the zone that region names/,
  },
  { given: { numberOfNodes: 0 }, path: 'numberOfNodes', words: /0 is not between 1 and 1000/ },
  { given: { bootDiskSizeGB: 9 }, path: 'bootDiskSizeGB', words: /9 is not between 10 and 65536/ },
  { given: { machineType: 'n1 standard' }, path: 'machineType', words: /not a machine type such as/ },
];

for (const { given, path, words } of mistakes) {
  test(`${JSON.stringify(given)} is one mistake, and the message says what is right`, () => {
    const [problem, ...others] = checkGcpConfig(newOrder(given).cluster.config);
    assert.deepEqual(others, []);
    assert.equal(problem?.path, `config.clusterConfig.gcpConfig.${path}`);
    assert.match(problem?.message ?? '', words);
  });
}

test('all mistakes are told at once, and the name of a Secret can be no command', () => {
  const { config } = newOrder({ numberOfNodes: 0, machineType: '', credentialsSecretName: 'a; rm -rf /' }).cluster;
  const paths = checkGcpConfig(config).map(({ path }) => path.split('.').at(-1));
  assert.deepEqual(paths, ['numberOfNodes', 'machineType', 'secretName']);
});

test('a region and a zone are told apart, a zone wins, and nodes are counted for all zones', () => {
  const cases = [
    [{ region: 'europe-west3' }, 'europe-west3', 6],
    [{ region: 'europe-west3-a' }, 'europe-west3-a', 2],
    [{ region: 'europe-west3', zone: 'europe-west3-b' }, 'europe-west3-b', 2],
    [{ region: 'europe-west3-a', zone: 'europe-west3-a' }, 'europe-west3-a', 2],
  ] as const;
  for (const [place, location, total] of cases) {
    const order = newOrder({ ...place, numberOfNodes: 2 });
    assert.deepEqual(checkGcpConfig(order.cluster.config), []);
    assert.equal(gkeLocation(place).name, location);
    assert.equal(totalNumberOfNodes(order.cluster.config), total);
    assert.match(describeSize(order), new RegExp(`a cluster of ${total} nodes .*${location}`));
  }
});
