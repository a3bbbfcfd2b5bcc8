import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { awsShoot } from './shoots.ts';
import { startWorld } from './world.ts';

const missing = spawnSync('kubectl', ['version', '--client']).status === 0 ? false : 'kubectl is not on PATH';
const world = await startWorld();
const run = promisify(execFile);

async function kubectl(kubeconfig: string, ...args: string[]): Promise<string> {
  const environment = { ...process.env, KUBECONFIG: kubeconfig, HOME: world.directory };
  return (await run('kubectl', args, { env: environment })).stdout;
}

describe('kubectl on the landscape', { skip: missing }, () => {
  const garden = (...args: string[]) => kubectl(world.file('garden.kubeconfig'), ...args);

  it('applies a Shoot, waits for it, uses its cluster, and deletes it with the confirmation', async () => {
    const manifest = world.file('shoot.json');
    writeFileSync(manifest, JSON.stringify(awsShoot('kubectl')));
    assert.match(await garden('apply', '-f', manifest), /shoot.core.gardener.cloud\/kubectl created/);
    await garden('wait', 'shoot/kubectl', '--for=jsonpath={.status.lastOperation.state}=Succeeded', '--timeout=30s');
    const table = await garden('get', 'shoots', '-A');
    assert.match(
      table,
      /NAMESPACE +NAME +CLOUDPROFILE +PROVIDER +REGION +K8S VERSION +HIBERNATION +LAST OPERATION +STATUS +AGE/,
    );
    assert.match(
      table,
      /garden-dev +kubectl +aws +aws +eu-central-1 +1\.34\.2 +Awake +Create Succeeded \(100%\) +healthy/,
    );
    assert.match(await garden('apply', '-f', manifest), /unchanged|configured/);

    const kubeconfig = world.file('runtime.kubeconfig');
    writeFileSync(kubeconfig, await world.kubeconfig('kubectl'));
    await kubectl(kubeconfig, 'create', 'namespace', 'mine');
    assert.match(await kubectl(kubeconfig, 'get', 'namespaces', '-o', 'name'), /namespace\/mine/);
    const nodes = (await kubectl(kubeconfig, 'get', 'nodes', '-o', 'name')).trim().split('\n');
    assert.deepEqual(
      nodes,
      [0, 1].map((index) => `node/shoot--dev--kubectl-cpu-worker-0-z1-${index}`),
    );

    await assert.rejects(garden('delete', 'shoot', 'kubectl'), /confirmation.gardener.cloud\/deletion/);
    await garden('annotate', 'shoot', 'kubectl', 'confirmation.gardener.cloud/deletion=true');
    assert.match(await garden('delete', 'shoot', 'kubectl'), /"kubectl" deleted/);
    await assert.rejects(garden('get', 'shoot', 'kubectl'), /shoots.core.gardener.cloud "kubectl" not found/);
    await assert.rejects(kubectl(kubeconfig, 'get', 'namespaces'));
  });

  it('shows what the Garden offers', async () => {
    assert.match(await garden('get', 'cloudprofiles', '-o', 'name'), /cloudprofile.core.gardener.cloud\/az/);
    assert.match(
      await garden('get', 'credentialsbindings'),
      /gcp-credentials +gcp +Secret +garden-dev +gcp-credentials/,
    );
  });

  it('finds the credentials for the Director in the management cluster', async () => {
    const keys = await kubectl(
      world.file('management.kubeconfig'),
      ...['get', 'secret', '-n', 'compass-system', 'compass-provisioner-credentials'],
      ...['-o', 'jsonpath={.data.tokens_endpoint}'],
    );
    assert.equal(Buffer.from(keys, 'base64').toString(), world.landscape.addresses.oauth);
  });
});
