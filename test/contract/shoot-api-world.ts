import { gardenerDriver, shootInformer } from '../../src/clusters/gardener/gardener-driver.ts';
import { shootKind } from '../../src/clusters/gardener/shoot/shoot.ts';
import type { WakeKey } from '../../src/domain/outcome.ts';
import { Secret } from '../../src/domain/secret.ts';
import { kubernetesClient } from '../../src/kubernetes/client.ts';
import { parseKubeconfig } from '../../src/kubernetes/kubeconfig.ts';
import { newOrder } from '../clusters/gardener/orders.ts';
import { silentLog } from '../harness/silent-log.ts';
import type { DriverWorld } from './cluster-driver-suite.ts';
import { startGardenletStandIn } from './gardenlet-stand-in.ts';
import { installShootDefinition } from './shoot-definition.ts';

const namespace = 'garden-dev';

/** An API server that serves no Shoots yet. */
export interface BareApiServer {
  /** Of an administrator, with a client certificate. */
  readonly kubeconfig: string;
  stop(): Promise<void>;
}

/** What the suite promises of a driver and an API server that has no Gardener behind it, but one who plays it. */
export const withoutGardener: readonly string[] = [
  'an order without a mistake has no problem, and checking makes nothing',
  'a cluster is created, announces its changes, and has a domain',
  'creating twice makes one cluster',
  "another Runtime's cluster of the same name is refused, not seen, not deleted",
  'while the provider is at work, the caller reads what it does; then the cluster wakes its operation',
  'a cluster that failed says who must act, and can be deleted',
  'what the provider has not given up on is left alone by a retry',
  'the manifests tell what would be made, and make nothing',
  'deleting may be asked for again at any time, and absence is announced',
  'a name is free again once its cluster is gone',
  'a cluster that does not exist issues no kubeconfig',
];

/** The Gardener driver on an API server whose Shoots are custom resources. */
export async function openShootApiWorld(start: () => Promise<BareApiServer>): Promise<DriverWorld> {
  const server = await start();
  const connection = parseKubeconfig({ text: new Secret(server.kubeconfig), source: 'of the API server' });
  const client = kubernetesClient({ connection, fieldManager: 'provisioner' });
  const namespaces = { apiVersion: 'v1', plural: 'namespaces', namespaced: false };
  await client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  await installShootDefinition(client);
  const gardenlet = await startGardenletStandIn({ client, connection, namespace });
  const informer = shootInformer({ client, namespace, log: silentLog });
  const woken: WakeKey[] = [];
  const driver = gardenerDriver({
    ...{ client, project: 'dev', namespace, informer, log: silentLog },
    onChange: (key) => woken.push(key),
  });
  informer.start();
  await informer.synced;
  const needsGardener = (): never => {
    throw new Error('this needs a Gardener, or a fault that no API server has on demand');
  };
  return {
    ...{ driver, woken, newOrder },
    rejectedOrder: needsGardener,
    loseNextCreateReply: needsGardener,
    goDown: needsGardener,
    comeBack: needsGardener,
    hold: ({ cluster }) => gardenlet.hold(cluster.name),
    letGo: ({ cluster }) => gardenlet.letGo(cluster.name),
    doom: ({ cluster }) => gardenlet.doom(cluster.name),
    async countUpstream({ cluster }) {
      const { items } = await client.list(shootKind, { namespace, fieldSelector: `metadata.name=${cluster.name}` });
      return items.length;
    },
    async [Symbol.asyncDispose]() {
      await gardenlet.stop();
      await informer.stop();
      await client.close();
      await server.stop();
    },
  };
}
