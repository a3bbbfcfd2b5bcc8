import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Landscape } from '../../landscape/landscape.ts';
import { startLandscape } from '../../landscape/landscape.ts';
import { gardenerDriver, shootInformer } from '../../src/clusters/gardener/gardener-driver.ts';
import type { GardenerDriver } from '../../src/clusters/gardener/gardener-order.ts';
import type { GardenerConfig } from '../../src/domain/gardener-config.ts';
import type { WakeKey } from '../../src/domain/outcome.ts';
import { kubernetesClient } from '../../src/kubernetes/client.ts';
import type { Informer } from '../../src/kubernetes/informer.ts';
import { kubeconfigFile } from '../../src/kubernetes/kubeconfig-file.ts';
import type { KubernetesClient } from '../../src/kubernetes/kubernetes-client.ts';
import { configs, newOrder } from '../clusters/gardener/orders.ts';
import { silentLog } from '../harness/silent-log.ts';
import type { DriverWorld } from './cluster-driver-suite.ts';

export interface GardenerWorld extends DriverWorld {
  readonly driver: GardenerDriver;
  readonly landscape: Landscape;
  readonly client: KubernetesClient;
  readonly informer: Informer;
}

/** The Gardener driver on a landscape in which nothing takes time. */
export async function openGardenerWorld(settings: { gardenAge?: 'today' | 'old' } = {}): Promise<GardenerWorld> {
  const directory = await mkdtemp(path.join(tmpdir(), 'gardener-world-'));
  const landscape = await startLandscape({ directory, pace: 'instant', ...settings });
  const { control } = landscape;
  const connection = kubeconfigFile({ path: path.join(directory, 'garden.kubeconfig') });
  const client = kubernetesClient({ connection, fieldManager: 'provisioner' });
  const namespace = 'garden-dev';
  const installation = crypto.randomUUID();
  const informer = shootInformer({ client, namespace, log: silentLog });
  const woken: WakeKey[] = [];
  const driver = gardenerDriver({
    client,
    project: 'dev',
    namespace,
    informer,
    installation,
    onChange: (key) => woken.push(key),
    log: silentLog,
  });
  informer.start();
  await informer.synced;
  return {
    landscape,
    client,
    informer,
    driver,
    woken,
    newOrder,
    rejectedOrder: () => ({
      order: newOrder({ ...configs.gcp, targetSecret: 'nowhere' }),
      words: /credentialsbinding\.security\.gardener\.cloud "nowhere" not found/,
    }),
    loseNextCreateReply: () => {
      control.addFault({ target: 'garden', method: 'POST', path: '/shoots', count: 1, action: { kind: 'loseReply' } });
    },
    goDown: () => {
      control.addFault({ target: 'garden', action: { kind: 'status', status: 503, body: 'no garden today' } });
    },
    comeBack: () => control.clearFaults(),
    forbidHibernation: ({ cluster }) => control.setShootFate(cluster.name, { kind: 'problematicWebhook' }),
    hold: ({ cluster }) => control.setShootFate(cluster.name, { kind: 'stuck' }),
    letGo: ({ cluster }) => control.liftShootFate(cluster.name),
    doom: ({ cluster }) => control.setShootFate(cluster.name, { kind: 'failed', codes: ['ERR_INFRA_QUOTA_EXCEEDED'] }),
    changes: (order) => {
      const change = (asked: Partial<GardenerConfig>) => ({
        order,
        target: { ...(order.cluster.config as GardenerConfig), ...asked },
        fields: Object.keys(asked),
      });
      return {
        possible: change({ machineType: 'n2-standard-8', autoScalerMax: 9 }),
        impossible: { change: change({ exposureClassName: 'internet' }), path: 'exposureClassName' },
      };
    },
    owned: { scope: '', installation },
    countUpstream: ({ cluster }) => control.inventory().shoots.filter(({ name }) => name === cluster.name).length,
    async [Symbol.asyncDispose]() {
      await informer.stop();
      await client.close();
      await landscape.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
