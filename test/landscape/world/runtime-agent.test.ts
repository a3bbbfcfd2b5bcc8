import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, sign, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { before, describe, it } from 'node:test';
import { request } from 'undici';
import { parseAllDocuments } from 'yaml';
import { bitString, integer, objectIdentifier, sequence } from '../../../landscape/tls/der.ts';
import type { KubernetesClient, KubernetesObject } from '../../../src/kubernetes/kubernetes-client.ts';
import { eventually } from '../../harness/eventually.ts';
import { gcpShoot } from './shoots.ts';
import { startWorld } from './world.ts';

interface Artifact {
  readonly url: string;
  readonly sha256: string;
}

interface CatalogueModule {
  readonly manifest: Artifact;
  readonly defaultResource: Artifact;
}

const world = await startWorld();
const catalogue = JSON.parse(readFileSync(world.file('kyma-catalogue.json'), 'utf8'));
const connection = {
  apiVersion: 'compass.kyma-project.io/v1alpha1',
  plural: 'compassconnections',
  namespaced: false,
  name: 'compass-connection',
};
const secrets = { apiVersion: 'v1', plural: 'secrets', namespaced: true };

function moduleOf(name: string, channel = 'fast'): CatalogueModule {
  return catalogue.releases[catalogue.channels[channel]].modules[name];
}

async function download({ url }: Artifact): Promise<string> {
  return (await request(url, { dispatcher: world.agent })).body.text();
}

async function install(cluster: KubernetesClient, artifact: Artifact): Promise<void> {
  for (const document of parseAllDocuments(await download(artifact))) {
    const object = document.toJS() as KubernetesObject | null;
    if (object === null) continue;
    await eventually(`${object.kind} to be applied`, async () => {
      cluster.forgetDiscovery();
      return cluster.apply(object, { force: true });
    });
  }
}

async function oneTimeToken(name: string): Promise<{ runtimeId: string; token: string }> {
  const registered = await world.director({
    query: `mutation { result: registerRuntime(in: { name: "${name}" }) { id } }`,
  });
  const runtimeId = String(registered.data?.result?.id);
  const { data } = await world.director({
    query: `mutation { result: requestOneTimeTokenForRuntime(id: "${runtimeId}") { token } }`,
  });
  return { runtimeId, token: String(data?.result?.token) };
}

async function configureAgent(cluster: KubernetesClient, runtimeId: string, token: string): Promise<void> {
  const values = {
    CONNECTOR_URL: world.landscape.addresses.connector,
    RUNTIME_ID: runtimeId,
    TENANT: 'demo',
    TOKEN: token,
  };
  const encoded = Object.entries(values).map(([key, value]) => [key, Buffer.from(value).toString('base64')]);
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'compass-agent-configuration', namespace: 'kyma-system' },
    data: Object.fromEntries(encoded),
  };
  await cluster.apply(secret, { kind: secrets, force: true });
}

function reaches(cluster: KubernetesClient, state: string): Promise<KubernetesObject> {
  return eventually(`the connection to be ${state}`, async () => {
    const found = await cluster.get(connection);
    return (found?.status as { connectionState?: string } | undefined)?.connectionState === state ? found : undefined;
  });
}

/** What the module's resource says. */
async function moduleState(cluster: KubernetesClient, kind: string, version = 'v1alpha1'): Promise<string | undefined> {
  cluster.forgetDiscovery();
  const type = await cluster.discover(`operator.kyma-project.io/${version}`, kind);
  const resource = type && (await cluster.list(type)).items[0];
  return (resource?.status as { state?: string } | undefined)?.state;
}

describe('modules and Runtime Agent in a Runtime', () => {
  let cluster: KubernetesClient;

  before(async () => {
    await world.createShoot(gcpShoot('agent'));
    await world.reaches('agent', 'Create Succeeded');
    cluster = world.client(await world.kubeconfig('agent'));
  });

  it('publishes every artifact with the digest that the catalogue names', async () => {
    for (const release of Object.values<{ modules: Record<string, CatalogueModule> }>(catalogue.releases)) {
      for (const { manifest, defaultResource } of Object.values(release.modules)) {
        for (const artifact of [manifest, defaultResource]) {
          assert.equal(
            createHash('sha256')
              .update(await download(artifact))
              .digest('hex'),
            artifact.sha256,
            artifact.url,
          );
        }
      }
    }
  });

  it('keeps application-connector in Error until Istio is there, then finishes by itself', async () => {
    await install(cluster, moduleOf('application-connector').manifest);
    await install(cluster, moduleOf('application-connector').defaultResource);
    await eventually('Error', async () => (await moduleState(cluster, 'ApplicationConnector')) === 'Error');
    await install(cluster, moduleOf('istio').manifest);
    await install(cluster, moduleOf('istio').defaultResource);
    await eventually('Istio to be Ready', async () => (await moduleState(cluster, 'Istio', 'v1alpha2')) === 'Ready');
    await eventually('Ready', async () => (await moduleState(cluster, 'ApplicationConnector')) === 'Ready');
  });

  it('sleeps until its Secret is there, then connects with a fresh token and tells the Director', async () => {
    const deployment = {
      apiVersion: 'apps/v1',
      plural: 'deployments',
      namespaced: true,
      namespace: 'kyma-system',
      name: 'compass-runtime-agent',
    };
    const asleep = await cluster.get(deployment);
    assert.deepEqual((asleep?.spec as { replicas?: number } | undefined)?.replicas, 0);
    const { runtimeId, token } = await oneTimeToken('connects');
    await configureAgent(cluster, runtimeId, token);
    await reaches(cluster, 'Synchronized');
    const inventory = world.landscape.control.inventory();
    assert.equal(inventory.directorRuntimes.find(({ id }) => id === runtimeId)?.condition, 'CONNECTED');
    assert.equal(inventory.clusters[0]?.agentRuntimeId, runtimeId);
    assert.equal(inventory.clusters[0]?.connectionState, 'Synchronized');
  });

  it('fails with a burned token when its connection is deleted, and heals when the Secret gets a new one', async () => {
    await cluster.delete(connection);
    const failed = await reaches(cluster, 'ConnectionFailed');
    const { error } = (failed.status as { connectionStatus: { error: string } }).connectionStatus;
    assert.match(error, /token is invalid, used or expired/);
    const { runtimeId, token } = await oneTimeToken('heals');
    await configureAgent(cluster, runtimeId, token);
    await reaches(cluster, 'Synchronized');
  });

  it('exchanges the token anew when its connection is deleted after the Secret got a new one', async () => {
    const before = await reaches(cluster, 'Synchronized');
    const { runtimeId, token } = await oneTimeToken('reconnects');
    await configureAgent(cluster, runtimeId, token);
    await cluster.delete(connection);
    await eventually('another connection', async () => {
      const found = await reaches(cluster, 'Synchronized');
      return found.metadata.uid !== before.metadata.uid;
    });
  });

  it('needs the namespace istio-system, and burns its token without it', async () => {
    const { runtimeId, token } = await oneTimeToken('no-istio');
    await cluster.delete({ apiVersion: 'v1', plural: 'namespaces', namespaced: false, name: 'istio-system' });
    await cluster.delete(connection);
    await reaches(cluster, 'ConnectionFailed');
    await configureAgent(cluster, runtimeId, token);
    await eventually('the agent to say what it needs', async () =>
      JSON.stringify((await cluster.get(connection))?.status).includes('istio-system'),
    );
    const { errors } = await world.connector(token, '{ configuration { token { token } } }');
    assert.match(errors[0]?.message ?? '', /used/);
  });

  it('removes a module only after its resource is gone, while the manager lives', async () => {
    const istio = {
      apiVersion: 'operator.kyma-project.io/v1alpha2',
      plural: 'istios',
      namespaced: true,
      namespace: 'kyma-system',
      name: 'default',
    };
    await cluster.delete(istio);
    await eventually('the resource to be gone', async () => (await cluster.get(istio)) === undefined);
    await eventually('its kinds to be gone', async () => {
      cluster.forgetDiscovery();
      return (await cluster.discover('networking.istio.io/v1', 'Gateway')) === undefined;
    });
  });

  it('upgrades to the newer release of a channel in place', async () => {
    const config = {
      apiVersion: 'v1',
      plural: 'configmaps',
      namespaced: true,
      namespace: 'kyma-system',
      name: 'serverless-operator-config',
    };
    for (const channel of ['regular', 'fast']) {
      await install(cluster, moduleOf('serverless', channel).manifest);
      await install(cluster, moduleOf('serverless', channel).defaultResource);
      await eventually('Ready', async () => (await moduleState(cluster, 'Serverless')) === 'Ready');
      const { data } = (await cluster.get(config)) as unknown as { data: { version: string; 'trust.pem': string } };
      assert.equal(data.version, channel === 'fast' ? '1.6.0' : '1.5.1');
      assert.match(data['trust.pem'], /\n---\nnot a new document/);
    }
  });
});

describe("the Connector's second step", () => {
  it('signs the key of a certificate signing request, once', async () => {
    const { token } = await oneTimeToken('csr');
    const { data } = await world.connector(token, '{ configuration { token { token } } }');
    const configuration = data?.configuration as { token: { token: string } } | undefined;
    const signingToken = configuration?.token.token ?? '';
    const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const info = sequence(
      integer(Buffer.from([0])),
      sequence(),
      keys.publicKey.export({ type: 'spki', format: 'der' }),
      Buffer.from([0xa0, 0]),
    );
    const algorithm = sequence(objectIdentifier('1.2.840.10045.4.3.2'));
    const der = sequence(info, algorithm, bitString(sign('sha256', info, keys.privateKey)));
    const csr = `-----BEGIN CERTIFICATE REQUEST-----\n${der.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;
    const mutation =
      'mutation ($csr: String!) { result: signCertificateSigningRequest(csr: $csr) { clientCertificate caCertificate } }';
    const signed = await world.connector(signingToken, mutation, { csr: Buffer.from(csr).toString('base64') });
    const decode = (text: unknown) => new X509Certificate(Buffer.from(String(text), 'base64'));
    const certificate = decode(signed.data?.result?.clientCertificate);
    assert.ok(certificate.checkPrivateKey(keys.privateKey));
    assert.ok(certificate.verify(decode(signed.data?.result?.caCertificate).publicKey));
    const again = await world.connector(signingToken, mutation, { csr });
    assert.equal(again.errors.length, 1);
  });
});
