import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClusterManagerClient } from '@google-cloud/container';
import { JWT } from 'google-auth-library';
import { Secret } from '../../../src/domain/secret.ts';
import { kubernetesClient } from '../../../src/kubernetes/client.ts';
import { atEnd } from '../../harness/at-end.ts';
import { eventually } from '../../harness/eventually.ts';
import { testLandscape } from '../../harness/landscape.ts';

/** Google's own libraries against the landscape: its fidelity does not rest on our client. */
const { addresses, control } = await testLandscape();
const key = JSON.parse(await control.createGoogleKey({ name: 'judge' }));
const cloudPlatform = 'https://www.googleapis.com/auth/cloud-platform';

/** Google's library sends every request for a token to Google; here it goes to the landscape. */
function identity(scopes: readonly string[] = [cloudPlatform], file: Record<string, string> = key): JWT {
  const { client_email: email, private_key, private_key_id: keyId } = file;
  const jwt = new JWT({ email, key: private_key, keyId, scopes: [...scopes] });
  const { transporter } = jwt;
  const request = transporter.request.bind(transporter);
  transporter.request = (options = {}) => {
    if (String(options.url) !== 'https://oauth2.googleapis.com/token') return request(options);
    return request({ ...options, url: new URL(key.token_uri) });
  };
  return jwt;
}

function clientOf(auth: JWT): ClusterManagerClient {
  const { hostname, port } = new URL(addresses.gke);
  const client = new ClusterManagerClient({
    ...{ fallback: true, protocol: 'https', apiEndpoint: hostname, port: Number(port) },
    authClient: auth as never,
  });
  atEnd(() => client.close());
  return client;
}

const client = clientOf(identity());
const parent = 'projects/my-project/locations/europe-west3-a';

function creation(name: string) {
  return {
    name,
    initialClusterVersion: '1.34',
    nodePools: [
      { name: 'default-pool', initialNodeCount: 2, config: { machineType: 'n1-standard-4', diskSizeGb: 30 } },
    ],
    resourceLabels: { owner: 'judge' },
  };
}

async function done(name: string | null | undefined, location = parent) {
  return eventually(`operation ${name} to end`, async () => {
    const [operation] = await client.getOperation({ name: `${location}/operations/${name}` });
    return operation.status === 'DONE' && operation;
  });
}

test("Google's library gets a token, and is refused with a key that was deleted or a scope that is missing", async () => {
  const { token } = await identity().getAccessToken();
  assert.match(token ?? '', /^ya29\./);
  const revoked = JSON.parse(await control.createGoogleKey({ name: 'judge' }));
  control.deleteGoogleKey(revoked.private_key_id);
  await assert.rejects(identity([cloudPlatform], revoked).getAccessToken(), /invalid_grant/);
  const poor = clientOf(identity(['https://www.googleapis.com/auth/userinfo.email']));
  await assert.rejects(poor.listClusters({ parent }), /insufficient authentication scopes/);
});

test("a cluster lives its whole life through Google's client", async () => {
  const name = `${parent}/clusters/judged`;
  const [created] = await client.createCluster({ parent, cluster: creation('judged') });
  assert.equal(created.operationType, 'CREATE_CLUSTER');
  const twice = client.createCluster({ parent, cluster: creation('judged') });
  await assert.rejects(twice, (error: { code?: number }) => error.code === 6);
  assert.match((await done(created.name)).endTime ?? '', /^\d{4}-/);

  const [cluster] = await client.getCluster({ name });
  assert.equal(cluster.status, 'RUNNING');
  assert.match(cluster.currentMasterVersion ?? '', /^1\.34\.\d+-gke\.\d+$/);
  assert.deepEqual(cluster.resourceLabels, { owner: 'judge' });
  const { token } = await identity().getAccessToken();
  const kubernetes = kubernetesClient({
    connection: {
      server: `https://${cluster.endpoint}`,
      certificateAuthority: Buffer.from(cluster.masterAuth?.clusterCaCertificate ?? '', 'base64').toString(),
      credential: { kind: 'token', token: new Secret(token ?? '') },
    },
    fieldManager: 'judge',
  });
  atEnd(() => kubernetes.close());
  const nodes = await kubernetes.list({ apiVersion: 'v1', plural: 'nodes', namespaced: false });
  assert.equal(nodes.items.length, 2);

  control.setGkeFate('judged', { kind: 'stuck', during: 'UPGRADE_MASTER' });
  const [upgrade] = await client.updateMaster({ name, masterVersion: '1.35' });
  await assert.rejects(client.deleteCluster({ name }), (error: { code?: number; message: string }) => {
    assert.equal(error.code, 9);
    return /is currently upgrading cluster judged/.test(error.message);
  });
  control.liftGkeFate('judged');
  await done(upgrade.name);
  const pool = `${name}/nodePools/default-pool`;
  const [resize] = await client.setNodePoolSize({ name: pool, nodeCount: 3 });
  await done(resize.name);
  const [nodeUpgrade] = await client.updateCluster({
    name,
    update: { desiredNodeVersion: '-', desiredNodePoolId: 'default-pool' },
  });
  await done(nodeUpgrade.name);
  const [upgraded] = await client.getNodePool({ name: pool });
  assert.match(upgraded.version ?? '', /^1\.35\./);
  assert.equal(upgraded.initialNodeCount, 3);

  const [labels] = await client.setLabels({
    ...{ name, resourceLabels: { owner: 'somebody-else' }, labelFingerprint: cluster.labelFingerprint ?? '' },
  });
  await done(labels.name);
  const [{ clusters }] = await client.listClusters({ parent: 'projects/my-project/locations/-' });
  assert.deepEqual(
    clusters?.map(({ resourceLabels }) => resourceLabels),
    [{ owner: 'somebody-else' }],
  );

  const [deletion] = await client.deleteCluster({ name });
  await done(deletion.name);
  await assert.rejects(client.getCluster({ name }), (error: { code?: number; message: string }) => {
    assert.equal(error.code, 5);
    return error.message.includes('/zones/europe-west3-a/clusters/judged');
  });
});

test("what is wrong in a request is told in Google's statuses", async () => {
  const refused = async (cluster: object, words: RegExp, at = parent) => {
    await assert.rejects(client.createCluster({ parent: at, cluster }), (error: { code?: number; message: string }) => {
      assert.equal(error.code, 3);
      assert.match(error.message, words);
      return true;
    });
  };
  await refused({ ...creation('Wrong') }, /cluster\.name/);
  await refused({ ...creation('wrong'), initialClusterVersion: '1.13' }, /Master version "1\.13" is unsupported/);
  await refused({ ...creation('wrong'), initialNodeCount: 3 }, /must not be set/);
  await refused(
    { ...creation('wrong') },
    /Location "europe-west33" does not exist/,
    parent.replace('west3-a', 'west33'),
  );
  const viewer = clientOf(
    identity([cloudPlatform], JSON.parse(await control.createGoogleKey({ name: 'looker', role: 'viewer' }))),
  );
  await assert.rejects(
    viewer.createCluster({ parent, cluster: creation('forbidden') }),
    (error: { code?: number; message: string }) =>
      error.code === 7 && error.message.includes('container.clusters.create'),
  );
  assert.equal(control.googleInventory().clusters.length, 0);
});

test('a creation that the cloud has no machines for ends in an operation with an error, and a cluster in ERROR', async () => {
  control.setGkeFate('sold-out', { kind: 'failed' });
  const [created] = await client.createCluster({ parent, cluster: creation('sold-out') });
  const operation = await done(created.name);
  assert.match(operation.error?.message ?? '', /does not have enough resources available/);
  const [cluster] = await client.getCluster({ name: `${parent}/clusters/sold-out` });
  assert.equal(cluster.status, 'ERROR');
  assert.match(cluster.conditions?.[0]?.message ?? '', /enough resources/);
});

test('a regional cluster has as many nodes in each of three zones', async () => {
  const region = 'projects/my-project/locations/europe-west3';
  const [created] = await client.createCluster({ parent: region, cluster: creation('regional') });
  await done(created.name, region);
  const [cluster] = await client.getCluster({ name: `${region}/clusters/regional` });
  assert.equal(cluster.locations?.length, 3);
  assert.equal(cluster.currentNodeCount, 6);
  const [config] = await client.getServerConfig({ name: region });
  assert.ok(config.validMasterVersions?.some((version) => version.startsWith('1.33.')));
});
