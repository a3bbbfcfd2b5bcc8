import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Artifacts } from './artifacts/artifacts.ts';
import { Control, type DirectorCredentials } from './control/control.ts';
import { startControlServer } from './control/control-server.ts';
import { Faults } from './control/faults.ts';
import { fullPath, kubernetesFault, targetOfApi } from './control/kubernetes-faults.ts';
import { RequestLog } from './control/request-log.ts';
import { AccessTokens } from './director/access-tokens.ts';
import { Connector } from './director/connector.ts';
import { Director } from './director/director.ts';
import { fillGarden, project, projectNamespace } from './garden/garden-content.ts';
import { gardenTypes } from './garden/garden-types.ts';
import { startGardenlet } from './garden/gardenlet.ts';
import { answerKubeconfigRequest } from './garden/kubeconfig-request.ts';
import { ShootFates } from './garden/shoot-fates.ts';
import { shootType } from './garden/shoot-type.ts';
import { KubernetesApi } from './kubernetes/kubernetes-api.ts';
import { type KubernetesServer, startKubernetesServer } from './kubernetes/kubernetes-server.ts';
import { Pace, type PaceName } from './pace.ts';
import { RuntimeClusters } from './runtime-cluster/runtime-clusters.ts';
import { createCertificateAuthority } from './tls/certificate-authority.ts';
import { startWebServer } from './web-server.ts';

export interface LandscapeOptions {
  /** Gets kubeconfigs, the authority's certificate, the Kyma catalogue and `landscape.json`; made when it is missing. */
  readonly directory: string;
  readonly pace: PaceName;
  /** Any free port for what is 0 or not given. */
  readonly ports?: { readonly kubernetes?: number; readonly web?: number; readonly control?: number };
  /** Told in a few words what happens; silent when not given. */
  readonly log?: (message: string) => void;
}

export interface Landscape {
  /** The variables that point the service at this landscape. */
  readonly environment: Readonly<Record<string, string>>;
  readonly addresses: LandscapeAddresses;
  readonly control: Control;
  stop(): Promise<void>;
}

export interface LandscapeAddresses {
  readonly garden: string;
  readonly management: string;
  readonly director: string;
  readonly oauth: string;
  readonly connector: string;
  readonly artifacts: string;
  readonly control: string;
}

/** The tenants that the Director knows. */
export const tenants = ['tenant-a', 'tenant-b', 'demo'] as const;

const credentialsSecret = { secret: 'compass-provisioner-credentials', namespace: 'compass-system' } as const;
const kubeconfigLifetimeSeconds = 365 * 24 * 60 * 60;

/**
 * The outside world of the service, in this process and on 127.0.0.1: a Garden whose Shoots become clusters, a
 * management cluster, a Director with OAuth2 and Connector, and the artifacts of Kyma modules. For development and tests.
 */
export async function startLandscape(options: LandscapeOptions): Promise<Landscape> {
  const { directory, ports = {}, log = () => {} } = options;
  await mkdir(directory, { recursive: true });
  const pace = new Pace(options.pace);
  const faults = new Faults();
  const requests = new RequestLog();
  const fates = new ShootFates();
  const authority = createCertificateAuthority({ name: 'landscape' });

  const garden: KubernetesApi = new KubernetesApi({
    name: 'garden',
    types: [
      ...gardenTypes,
      shootType({
        garden: () => garden,
        issueKubeconfig: async (request, role) => answerKubeconfigRequest(request, role, authority),
      }),
    ],
  });
  const management = new KubernetesApi({ name: 'management' });
  fillGarden(garden);

  const client = { clientId: 'provisioner', clientSecret: randomBytes(18).toString('base64url') };
  const accessTokens = new AccessTokens(client);
  const artifacts = new Artifacts();
  let director: Director | undefined;
  let connector: Connector | undefined;
  const { certificate: cert, key } = authority.issueServerCertificate();
  const web = await startWebServer({
    port: ports.web ?? 0,
    credentials: { cert, key },
    faults,
    requests,
    routes: (url) => {
      const directorURL = `${url}/director/graphql`;
      const connectorURL = `${url}/connector/graphql`;
      const theDirector = new Director({ tenants, tokens: accessTokens, connectorURL });
      const agents = createCertificateAuthority({ name: 'Compass Connector' });
      const theConnector = new Connector({ director: theDirector, authority: agents, url: connectorURL, directorURL });
      director = theDirector;
      connector = theConnector;
      return [
        { prefix: '/director/graphql', target: 'director', handle: (request) => theDirector.handle(request) },
        { prefix: '/oauth2/token', target: 'oauth', handle: (request) => accessTokens.handle(request) },
        { prefix: '/connector/graphql', target: 'connector', handle: (request) => theConnector.handle(request) },
        { prefix: '/artifacts/', target: 'artifacts', handle: (request) => artifacts.handle(request) },
      ];
    },
  });
  if (!director || !connector) throw new Error('the web server did not ask for its routes');

  let kubernetes: KubernetesServer | undefined;
  const clusters = new RuntimeClusters({
    pace,
    agentBackend: agentBackend(director, connector),
    serve: (api) => kubernetes?.add(api),
    unserve: (api) => kubernetes?.remove(api.name),
    addresses: ({ name }) => {
      const external = kubernetes?.urlOf(name) ?? '';
      return { external, internal: external.replace('127.0.0.1', 'localhost') };
    },
  });
  kubernetes = await startKubernetesServer({
    port: ports.kubernetes ?? 0,
    authority,
    apis: [garden, management],
    before: (info) => {
      // A hibernated cluster has no API server, so nothing answers at its address.
      if (clusters.find(info.api.replace('clusters/', ''))?.running === false) return { kind: 'drop' };
      const fault = faults.take({ target: targetOfApi(info.api), method: info.method, path: fullPath(info) });
      return fault && kubernetesFault(fault);
    },
    log: (info, { status }) =>
      requests.add({ target: targetOfApi(info.api), method: info.method, path: fullPath(info), status }),
  });
  const server = kubernetes;

  const stopGardenlet = startGardenlet({ garden, clusters, fates, pace });
  const credentials: DirectorCredentials = {
    client_id: client.clientId,
    client_secret: client.clientSecret,
    tokens_endpoint: `${web.url}/oauth2/token`,
  };
  const control = new Control({
    credentials,
    garden,
    management,
    clusters,
    director,
    accessTokens,
    artifacts,
    fates,
    faults,
    requests,
    pace,
  });
  const controlServer = await startControlServer({ port: ports.control ?? 0, control });

  const addresses: LandscapeAddresses = {
    garden: server.urlOf('garden'),
    management: server.urlOf('management'),
    director: `${web.url}/director/graphql`,
    oauth: credentials.tokens_endpoint,
    connector: connector.url,
    artifacts: `${web.url}/artifacts/`,
    control: controlServer.url,
  };
  fillManagement(management, credentials);
  const files = {
    garden: path.resolve(directory, 'garden.kubeconfig'),
    management: path.resolve(directory, 'management.kubeconfig'),
    authority: path.resolve(directory, 'ca.crt'),
    catalogue: path.resolve(directory, 'kyma-catalogue.json'),
    landscape: path.resolve(directory, 'landscape.json'),
  };
  const environment = {
    APP_GARDENER_PROJECT: project,
    APP_GARDENER_NAMESPACE: projectNamespace,
    APP_GARDENER_KUBECONFIG_PATH: files.garden,
    KUBECONFIG: files.management,
    APP_DIRECTOR_URL: addresses.director,
    APP_OAUTH_CREDENTIALS_SECRET_NAME: credentialsSecret.secret,
    APP_CREDENTIALS_NAMESPACE: credentialsSecret.namespace,
    APP_KYMA_CATALOGUE_PATH: files.catalogue,
    NODE_EXTRA_CA_CERTS: files.authority,
  };
  const kubeconfig = (api: string, namespace: string) =>
    server.issueKubeconfig({
      api,
      user: 'provisioner',
      groups: ['system:masters'],
      lifetimeSeconds: kubeconfigLifetimeSeconds,
      namespace,
    }).kubeconfig;
  await Promise.all([
    writeFile(files.garden, kubeconfig('garden', projectNamespace), { mode: 0o600 }),
    writeFile(files.management, kubeconfig('management', credentialsSecret.namespace), { mode: 0o600 }),
    writeFile(files.authority, authority.certificate),
    writeFile(files.catalogue, `${JSON.stringify(artifacts.catalogue(web.url), null, 2)}\n`),
    writeFile(files.landscape, `${JSON.stringify({ addresses, files, environment, tenants }, null, 2)}\n`),
  ]);
  log(`landscape is up, pace ${pace.name}`);

  return {
    environment,
    addresses,
    control,
    async stop() {
      pace.stop();
      stopGardenlet();
      clusters.close();
      await Promise.all([controlServer.close(), server.close(), web.close()]);
      log('landscape is down');
    },
  };
}

function agentBackend(director: Director, connector: Connector) {
  return {
    directorURL: connector.directorURL,
    async exchange(connectorURL: string, token: string) {
      if (connectorURL !== connector.url) throw new Error(`dial tcp: lookup ${connectorURL}: no such host`);
      return connector.exchange(token);
    },
    async synchronize(runtimeId: string) {
      if (!director.runtimes.findAnywhere(runtimeId)) throw new Error('Object not found [object=runtime]');
      director.runtimeCalled(runtimeId);
    },
  };
}

function fillManagement(management: KubernetesApi, credentials: DirectorCredentials): void {
  const { secret, namespace } = credentialsSecret;
  const encoded = Object.entries(credentials).map(([key, value]) => [key, Buffer.from(value).toString('base64')]);
  management.create('namespaces', { metadata: { name: namespace } });
  management.create('secrets', {
    metadata: { name: secret, namespace },
    type: 'Opaque',
    data: Object.fromEntries(encoded),
  });
}
