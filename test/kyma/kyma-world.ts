import { writeFileSync } from 'node:fs';
import path from 'node:path';
import tls from 'node:tls';
import { Artifacts as PublishedArtifacts } from '../../landscape/artifacts/artifacts.ts';
import { Faults } from '../../landscape/control/faults.ts';
import { RequestLog } from '../../landscape/control/request-log.ts';
import type { KubernetesApi } from '../../landscape/kubernetes/kubernetes-api.ts';
import {
  type Fault,
  type KubernetesServer,
  type ServerRequestInfo,
  startKubernetesServer,
} from '../../landscape/kubernetes/kubernetes-server.ts';
import { Pace } from '../../landscape/pace.ts';
import type { AgentBackend } from '../../landscape/runtime-cluster/runtime-agent.ts';
import { createRuntimeCluster } from '../../landscape/runtime-cluster/runtime-cluster.ts';
import { createCertificateAuthority } from '../../landscape/tls/certificate-authority.ts';
import { startWebServer } from '../../landscape/web-server.ts';
import type { KymaConfig, KymaInstallation } from '../../src/domain/kyma-config.ts';
import { Secret } from '../../src/domain/secret.ts';
import { kubernetesClient } from '../../src/kubernetes/client.ts';
import { parseKubeconfig } from '../../src/kubernetes/kubeconfig.ts';
import type { KubernetesClient } from '../../src/kubernetes/kubernetes-client.ts';
import { Artifacts, type TrustedHosts } from '../../src/kyma/artifacts.ts';
import { kymaCatalogue } from '../../src/kyma/catalogue.ts';
import { CatalogueFile } from '../../src/kyma/catalogue-file.ts';
import { installerCr } from '../../src/kyma/installer-cr/installer-cr.ts';
import type { InstallationTarget, KymaCatalogue, KymaInstaller } from '../../src/kyma/kyma-installer.ts';
import { modulesInstaller } from '../../src/kyma/modules/modules-installer.ts';
import { silentLog } from '../harness/silent-log.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

/** A cluster of the landscape with the actors of Kyma's modules, and our client for it. */
export interface TestCluster {
  readonly api: KubernetesApi;
  readonly client: KubernetesClient;
  /** Somebody else who works on the cluster. */
  readonly user: KubernetesClient;
}

export interface KymaWorld {
  /** Of modules. */
  readonly installer: KymaInstaller;
  /** Of Kyma 1. */
  readonly installerCr: KymaInstaller;
  readonly artifacts: Artifacts;
  readonly catalogue: KymaCatalogue;
  readonly published: PublishedArtifacts;
  readonly faults: Faults;
  /** Every request to any cluster, as `verb path`. */
  readonly requests: string[];
  /** Decides the fate of each request to a cluster. */
  before: ((info: ServerRequestInfo) => Fault | undefined) | undefined;
  /** Requests for artifacts so far. */
  downloads(): number;
  newCluster(): TestCluster;
  trustedHosts(): Promise<TrustedHosts>;
  resolve(config?: Partial<KymaConfig>): Promise<KymaInstallation>;
  target(cluster: TestCluster, installation: KymaInstallation): InstallationTarget;
  stop(): Promise<void>;
}

const noConnector: AgentBackend = {
  directorURL: 'https://director.example',
  exchange: async () => {
    throw new Error('there is no Connector here');
  },
  synchronize: async () => {},
};

export async function startKymaWorld(options: { readonly agentBackend?: AgentBackend } = {}): Promise<KymaWorld> {
  const { agentBackend = noConnector } = options;
  const authority = await createCertificateAuthority({ name: 'kyma-test' });
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), authority.certificate]);
  const { key, certificate } = authority.issueServerCertificate();
  const published = new PublishedArtifacts();
  const faults = new Faults();
  const downloads = new RequestLog();
  const web = await startWebServer({
    port: 0,
    credentials: { key, cert: certificate },
    faults,
    requests: downloads,
    routes: () => [{ prefix: '/artifacts/', target: 'artifacts', handle: (request) => published.handle(request) }],
  });
  const cataloguePath = path.join(temporaryFolder(), 'kyma-catalogue.json');
  writeFileSync(cataloguePath, JSON.stringify(published.catalogue(web.url)));
  const file = new CatalogueFile({ path: cataloguePath, log: silentLog });
  const artifacts = new Artifacts({
    privateAddresses: 'allowed',
    trustedHosts: () => file.trustedHosts(),
    log: silentLog,
  });
  const catalogue = kymaCatalogue({ file, artifacts, log: silentLog });
  const pace = new Pace('instant');
  const closing: (() => unknown)[] = [];
  const requests: string[] = [];
  let count = 0;

  const server: KubernetesServer = await startKubernetesServer({
    port: 0,
    authority,
    before: (info) => {
      requests.push(`${info.verb} ${info.path}`);
      return world.before?.(info);
    },
  });
  const world: KymaWorld = {
    installer: modulesInstaller({ warnings: 'accept', artifacts, fieldManager: 'runtime-provisioner', log: silentLog }),
    installerCr: installerCr({ artifacts, log: silentLog, settleTime: 20 }),
    artifacts,
    catalogue,
    published,
    faults,
    requests,
    before: undefined,
    downloads: () => downloads.counters()['artifacts GET'] ?? 0,

    newCluster() {
      const cluster = createRuntimeCluster({
        technicalId: `shoot--dev--c${count++}`,
        kubernetesVersion: '1.34.2',
        pace,
        agentBackend,
      });
      server.add(cluster.api);
      const { kubeconfig } = server.issueKubeconfig({
        api: cluster.api.name,
        user: 'provisioner',
        groups: ['system:masters'],
        lifetimeSeconds: 3_600,
      });
      const connection = parseKubeconfig({ text: new Secret(kubeconfig), source: 'the test' });
      const client = kubernetesClient({ connection, fieldManager: 'runtime-provisioner' });
      const user = kubernetesClient({ connection, fieldManager: 'kubectl' });
      closing.push(
        () => client.close(),
        () => user.close(),
        () => cluster.close(),
      );
      return { api: cluster.api, client, user };
    },

    trustedHosts: () => file.trustedHosts(),

    async resolve(config = {}) {
      const resolved = await catalogue.resolve({ version: 'fast', components: [], ...config }, 'kymaConfig');
      if ('problems' in resolved) throw new Error(JSON.stringify(resolved.problems));
      // As it comes out of the database.
      return JSON.parse(JSON.stringify(resolved.installation));
    },

    target: ({ client }, installation) => ({ cluster: client, installation, signal: AbortSignal.timeout(30_000) }),

    async stop() {
      for (const close of closing) await close();
      pace.stop();
      await Promise.all([artifacts.close(), server.close(), web.close()]);
    },
  };
  return world;
}
