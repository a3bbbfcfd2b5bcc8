import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { Artifacts } from './artifacts/artifacts.ts';
import { Control, type DirectorCredentials } from './control/control.ts';
import { startControlServer } from './control/control-server.ts';
import { Faults } from './control/faults.ts';
import { Gate } from './control/gate.ts';
import { kubernetesFault, subjectOf } from './control/kubernetes-faults.ts';
import { RequestLog } from './control/request-log.ts';
import { AccessTokens } from './director/access-tokens.ts';
import { Connector } from './director/connector.ts';
import { Director, directorClient } from './director/director.ts';
import type { GardenAge } from './garden/garden-age.ts';
import { fillGarden } from './garden/garden-content.ts';
import { gardenTypesOf } from './garden/garden-types.ts';
import { startGardenlet } from './garden/gardenlet.ts';
import { answerKubeconfigRequest } from './garden/kubeconfig-request.ts';
import { ShootFates } from './garden/shoot-fates.ts';
import { shootType } from './garden/shoot-type.ts';
import { type GoogleCloud, googleCloud } from './gke/google-cloud.ts';
import { KubernetesApi } from './kubernetes/kubernetes-api.ts';
import { startKubernetesServer } from './kubernetes/kubernetes-server.ts';
import { type LandscapeAddresses, writeLandscapeFiles } from './landscape-files.ts';
import { credentialsSecret, fillManagement } from './management.ts';
import { Pace, type PaceName } from './pace.ts';
import { AgentFates } from './runtime-cluster/agent-fates.ts';
import { BrokeredServices } from './runtime-cluster/brokered-services.ts';
import { RuntimeClusters } from './runtime-cluster/runtime-clusters.ts';
import { createCertificateAuthority } from './tls/certificate-authority.ts';
import { startWebServer } from './web-server.ts';

export interface LandscapeOptions {
  /** Gets kubeconfigs, the authority's certificate, the Kyma catalogue and `landscape.json`; made when it is missing. */
  readonly directory: string;
  readonly pace: PaceName;
  /** Any free port for what is 0 or not given. */
  readonly ports?: { readonly kubernetes?: number; readonly web?: number; readonly control?: number };
  /** `today` when not given. */
  readonly gardenAge?: GardenAge;
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

/** The tenants that the Director knows. */
export const tenants = ['tenant-a', 'tenant-b', 'demo'] as const;

/**
 * The outside world of the service, in this process and on 127.0.0.1: a Garden whose Shoots become clusters, a
 * management cluster, a Director with OAuth2 and Connector, and the artifacts of Kyma modules. For development and tests.
 */
export async function startLandscape(options: LandscapeOptions): Promise<Landscape> {
  const { directory, ports = {}, log = () => {}, gardenAge = 'today' } = options;
  await mkdir(directory, { recursive: true });
  // Closes what has been started so far when the rest cannot start.
  await using started = new AsyncDisposableStack();
  const pace = new Pace(options.pace);
  const faults = new Faults();
  const requests = new RequestLog();
  const gate = new Gate();
  const fates = new ShootFates();
  const agentFates = new AgentFates();
  const brokeredServices = new BrokeredServices();
  const authority = createCertificateAuthority({ name: 'landscape' });

  const { certificate: cert, key } = authority.issueServerCertificate();
  const web = await startWebServer({
    ...{ port: ports.web ?? 0, credentials: { cert, key }, clientAuthority: authority.certificate },
    ...{ faults, requests, gate },
  });
  started.defer(() => web.close());
  const client = { clientId: 'provisioner', clientSecret: randomBytes(18).toString('base64url') };
  const credentials: DirectorCredentials = {
    client_id: client.clientId,
    client_secret: client.clientSecret,
    tokens_endpoint: `${web.url}/oauth2/token`,
  };
  const urls = {
    director: `${web.url}/director/graphql`,
    directorWithCertificate: `${web.url}/mtls/director/graphql`,
    connector: `${web.url}/connector/graphql`,
  };
  const accessTokens = new AccessTokens(client);
  const artifacts = new Artifacts();
  const director = new Director({ tenants, tokens: accessTokens, connectorURL: urls.connector });
  const connector = new Connector({
    director,
    authority: createCertificateAuthority({ name: 'Compass Connector' }),
    url: urls.connector,
    directorURL: urls.director,
  });
  web.serve([
    { prefix: '/director/graphql', target: 'director', handle: (request) => director.handle(request) },
    { prefix: '/mtls/director/graphql', target: 'director', handle: (request) => director.handleCertified(request) },
    { prefix: '/oauth2/token', target: 'oauth', handle: (request) => accessTokens.handle(request) },
    { prefix: '/connector/graphql', target: 'connector', handle: (request) => connector.handle(request) },
    { prefix: '/artifacts/', target: 'artifacts', handle: (request) => artifacts.handle(request) },
    { prefix: '/google/', target: 'google', handle: (request) => google.identities.handle(request) },
    { prefix: '/v1/projects/', target: 'gke', handle: (request) => google.handle(request) },
  ]);

  const garden: KubernetesApi = new KubernetesApi({
    name: 'garden',
    types: [
      ...gardenTypesOf(gardenAge),
      shootType({
        age: gardenAge,
        garden: () => garden,
        issueKubeconfig: async (request, role) => answerKubeconfigRequest(request, role, authority),
      }),
    ],
  });
  fillGarden(garden, gardenAge);
  const management = new KubernetesApi({ name: 'management' });
  const server = await startKubernetesServer({
    port: ports.kubernetes ?? 0,
    authority,
    apis: [garden, management],
    before: async (info) => {
      // A hibernated cluster has no API server, so nothing answers at its address.
      if (clusters.find(info.api.replace('clusters/', ''))?.running === false) return { kind: 'drop' };
      if (!(await gate.lets({ ...subjectOf(info), moment: 'arrived' }))) return { kind: 'drop' };
      const fault = faults.take(subjectOf(info));
      return fault && kubernetesFault(fault);
    },
    mayAnswer: (info) => gate.lets({ ...subjectOf(info), moment: 'carried-out' }),
    log: (info, { status }) => {
      const { target, method, path } = subjectOf(info);
      requests.add({ target, method, path, status });
    },
  });
  started.defer(() => server.close());
  const clusters = new RuntimeClusters({
    pace,
    agentBackend: agentBackend(director, connector),
    agentFates,
    brokeredServices,
    serve: (api) => server.add(api),
    unserve: (api) => server.remove(api.name),
    addresses: ({ name }) => {
      const external = server.urlOf(name);
      return { external, internal: external.replace('127.0.0.1', 'localhost') };
    },
  });
  started.defer(() => clusters.close());
  const google: GoogleCloud = googleCloud({ url: web.url, clusters, pace, authority: authority.certificate });
  fillManagement(management, credentials, await google.identities.createKey({ name: 'provisioner' }));
  started.defer(startGardenlet({ garden, clusters, fates, pace }));

  const control = new Control({
    credentials,
    garden,
    management,
    clusters,
    director,
    accessTokens,
    artifacts,
    google,
    fates,
    agentFates,
    brokeredServices,
    faults,
    requests,
    gate,
    pace,
  });
  const controlServer = await startControlServer({ port: ports.control ?? 0, control });
  started.defer(() => controlServer.close());
  // First of all, so that nothing under way touches what is closing.
  started.defer(() => pace.stop());

  const addresses: LandscapeAddresses = {
    ...urls,
    garden: server.urlOf('garden'),
    management: server.urlOf('management'),
    oauth: credentials.tokens_endpoint,
    artifacts: `${web.url}/artifacts/`,
    gke: web.url,
    control: controlServer.url,
  };
  const environment = await writeLandscapeFiles({
    directory,
    addresses,
    tenants,
    authority: authority.certificate,
    directorClient: authority.issueClientCertificate(directorClient),
    catalogue: artifacts.catalogue(web.url),
    credentialsSecret,
    issueKubeconfig: (request) => server.issueKubeconfig(request).kubeconfig,
  });
  log(`landscape is up, pace ${pace.name}`);

  const running = started.move();
  return {
    environment,
    addresses,
    control,
    async stop() {
      await running.disposeAsync();
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
    async maintain(commonName: string) {
      if (!director.oneTimeTokens.find(commonName)) throw new Error('Failed to get authentication data');
    },
  };
}
