import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { openDeployment, type Replica } from '../crash/support/deployment.ts';
import { type RuntimeAnswer, runtimeQuery } from '../flows/documents.ts';
import { eventually } from '../harness/eventually.ts';
import { testLandscape } from '../harness/landscape.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0;
const skip = !hasKubectl && 'kubectl is not on the PATH';

const landscape = await testLandscape();
const folder = temporaryFolder();
const garden = landscape.environment.APP_GARDENER_KUBECONFIG_PATH ?? '';
const cluster = path.join(folder, 'runtime.kubeconfig');

describe('kubectl against what the service made', { skip }, () => {
  let replica: Replica;
  let runtimeID: string;
  let shoot: string;

  before(async () => {
    replica = await (await openDeployment({ landscape })).startReplica();
    const accepted = await replica.provision({ runtimeInput: { name: 'kubectl' } });
    ({ runtimeID } = accepted);
    await replica.succeeded(accepted.id);
    const { runtimeStatus } = await replica.api.ask<{ runtimeStatus: RuntimeAnswer }>(runtimeQuery, { id: runtimeID });
    shoot = runtimeStatus.runtimeConfiguration.clusterConfig.name;
    writeFileSync(cluster, runtimeStatus.runtimeConfiguration.kubeconfig ?? '', { mode: 0o600 });
  });

  test('the Garden lists the Shoot, and prints it whole', async () => {
    assert.match(await kubectl(garden, ['get', 'shoots', '-A']), new RegExp(`garden-dev +${shoot} `));
    const yaml = await kubectl(garden, ['get', 'shoot', shoot, '-n', 'garden-dev', '-o', 'yaml']);
    assert.match(yaml, /^kind: Shoot$/m);
    assert.match(yaml, new RegExp(`runtime-id: ${runtimeID}`));
  });

  test("the Runtime's kubeconfig shows its namespaces and its module", async () => {
    const namespaces = await kubectl(cluster, ['get', 'ns', '-o', 'name']);
    for (const name of ['default', 'kyma-system', 'istio-system'])
      assert.ok(namespaces.includes(`namespace/${name}\n`));
    assert.match(await kubectl(cluster, ['get', 'istio', '-A']), /kyma-system +default/);
    const yaml = await kubectl(cluster, ['get', 'ns', 'kyma-system', '-o', 'yaml']);
    assert.match(yaml, /^kind: Namespace$/m);
  });

  for (const [where, kubeconfig, namespace] of [
    ['the cluster', cluster, 'default'],
    ['the Garden', garden, 'garden-dev'],
  ] as const) {
    test(`${where} takes an apply, a change and a deletion`, async () => {
      const manifest = (color: string) =>
        `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\n  namespace: ${namespace}\ndata:\n  color: ${color}\n`;
      assert.match(await kubectl(kubeconfig, ['apply', '-f', '-'], manifest('red')), /settings created/);
      assert.match(await kubectl(kubeconfig, ['apply', '-f', '-'], manifest('red')), /settings unchanged/);
      assert.match(await kubectl(kubeconfig, ['apply', '-f', '-'], manifest('blue')), /settings configured/);
      const read = ['get', 'configmap', 'settings', '-n', namespace, '-o', 'jsonpath={.data.color}'];
      assert.equal(await kubectl(kubeconfig, read), 'blue');
      assert.match(await kubectl(kubeconfig, ['delete', '-f', '-'], manifest('blue')), /"settings" deleted/);
      await assert.rejects(kubectl(kubeconfig, read), /NotFound/);
    });
  }

  test('a Shoot is watched until the service has deleted it', async () => {
    const watch = spawn('kubectl', [
      '--kubeconfig',
      garden,
      'get',
      'shoots',
      '-n',
      'garden-dev',
      '-w',
      '--output-watch-events',
    ]);
    let seen = '';
    watch.stdout.setEncoding('utf8').on('data', (text: string) => {
      seen += text;
    });
    try {
      await eventually('the watch to begin', () => new RegExp(`ADDED +${shoot} `).test(seen));
      await replica.succeeded(await replica.deprovision(runtimeID));
      await eventually('the watch to tell of the deletion', () => new RegExp(`DELETED +${shoot} `).test(seen));
    } finally {
      watch.kill();
      await once(watch, 'exit');
    }
    assert.match(await kubectl(garden, ['get', 'shoots', '-A']), /No resources found/);
  });
});

/** Answers what it writes; throws that when it fails. */
async function kubectl(kubeconfig: string, args: readonly string[], input = ''): Promise<string> {
  const child = spawn('kubectl', ['--kubeconfig', kubeconfig, ...args], {
    env: { PATH: process.env.PATH, HOME: folder },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let written = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      written += text;
    });
  }
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(written);
  return written;
}
