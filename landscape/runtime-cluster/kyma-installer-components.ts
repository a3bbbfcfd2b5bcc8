import type { KubernetesApi } from '../kubernetes/kubernetes-api.ts';
import { agentDeployment, connectionType } from './application-connector.ts';
import { ensure, ensureNamespace, openDefinition, simpleDeployment } from './ensure.ts';
import { installServiceCatalog, uninstallServiceCatalog } from './service-catalog.ts';

/** What a component brings besides its Helm release. */
interface ComponentScript {
  install(cluster: KubernetesApi, version: string): void;
  uninstall(cluster: KubernetesApi): void;
}

const agentNamespace = 'compass-system';

const scripts: Readonly<Record<string, ComponentScript>> = {
  istio: {
    install: (cluster) => {
      const deployment = simpleDeployment('istio-system', 'istiod', 'landscape.example/istio/pilot:1.5.10');
      ensure(cluster, 'deployments', deployment);
    },
    uninstall: (cluster) => void cluster.remove('deployments', 'istio-system', 'istiod'),
  },
  'service-catalog': { install: installServiceCatalog, uninstall: uninstallServiceCatalog },
  'compass-runtime-agent': {
    install(cluster, version) {
      const names = { kind: 'CompassConnection', plural: 'compassconnections', scope: 'Cluster' } as const;
      const definition = openDefinition({ group: 'compass.kyma-project.io', version: 'v1alpha1', ...names });
      ensure(cluster, 'customresourcedefinitions', definition);
      ensureNamespace(cluster, 'istio-system');
      const image = `landscape.example/compass-runtime-agent:${version}`;
      const deployment = simpleDeployment(agentNamespace, agentDeployment, image);
      ensure(cluster, 'deployments', deployment);
      cluster.write('deployments', agentNamespace, agentDeployment, (target) => {
        target.spec = deployment.spec;
      });
    },
    uninstall(cluster) {
      cluster.remove('deployments', agentNamespace, agentDeployment);
      cluster.remove('customresourcedefinitions', undefined, connectionType);
    },
  },
};

export interface HelmRelease {
  readonly name: string;
  readonly namespace: string;
  /** Of the installer that has installed it. */
  readonly version: string;
  readonly values: Readonly<Record<string, string | boolean>>;
}

/** Installs or upgrades a component, and records it as Helm 3 does. */
export function installComponent(cluster: KubernetesApi, release: HelmRelease): void {
  const { name, namespace, version } = release;
  ensureNamespace(cluster, namespace);
  scripts[name]?.install(cluster, version);
  const record = {
    metadata: {
      ...{ name: recordName(name), namespace },
      labels: { owner: 'helm', name, status: 'deployed' },
    },
    type: 'helm.sh/release.v1',
    data: { release: Buffer.from(JSON.stringify(release)).toString('base64') },
  };
  ensure(cluster, 'secrets', record);
  cluster.write('secrets', namespace, record.metadata.name, (target) => {
    target.data = record.data;
  });
}

export function uninstallComponent(
  cluster: KubernetesApi,
  { name, namespace }: Pick<HelmRelease, 'name' | 'namespace'>,
) {
  scripts[name]?.uninstall(cluster);
  cluster.remove('secrets', namespace, recordName(name));
}

/** What is installed, by name. */
export function helmReleases(cluster: KubernetesApi): readonly HelmRelease[] {
  return cluster
    .list('secrets', { labels: 'owner=helm' })
    .map(({ data }): HelmRelease => JSON.parse(Buffer.from(data.release, 'base64').toString()));
}

function recordName(component: string): string {
  return `sh.helm.release.v1.${component}`;
}
