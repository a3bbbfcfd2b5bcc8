import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gkeErrorBody } from '../../landscape/gke/gke-error.ts';
import { type Landscape, startLandscape } from '../../landscape/landscape.ts';
import { type GkeClient, gkeClient } from '../../src/clusters/gke/gke-client.ts';
import { type GkeDriver, gkeDriver } from '../../src/clusters/gke/gke-driver.ts';
import { findCredentials } from '../../src/clusters/gke/google/find-credentials.ts';
import { googleConnections } from '../../src/clusters/gke/google/google-exchange.ts';
import { GoogleTokens } from '../../src/clusters/gke/google/google-tokens.ts';
import { systemClock } from '../../src/domain/clock.ts';
import type { GcpConfig } from '../../src/domain/gcp-config.ts';
import type { WakeKey } from '../../src/domain/outcome.ts';
import { kubernetesClient } from '../../src/kubernetes/client.ts';
import { kubeconfigFile } from '../../src/kubernetes/kubeconfig-file.ts';
import type { KubernetesClient } from '../../src/kubernetes/kubernetes-client.ts';
import { newOrder } from '../clusters/gke/orders.ts';
import { trustLandscape } from '../harness/landscape.ts';
import { silentLog } from '../harness/silent-log.ts';
import type { DriverWorld } from './cluster-driver-suite.ts';

export interface GkeWorld extends DriverWorld {
  readonly driver: GkeDriver;
  readonly landscape: Landscape;
  readonly client: GkeClient;
  /** The cluster that holds the Secrets. */
  readonly management: KubernetesClient;
}

/** The GKE driver on a landscape in which nothing takes time. */
export async function openGkeWorld(): Promise<GkeWorld> {
  const directory = await mkdtemp(path.join(tmpdir(), 'gke-world-'));
  const landscape = await startLandscape({ directory, pace: 'instant' });
  trustLandscape(landscape);
  const { control, addresses } = landscape;
  const connection = kubeconfigFile({ path: landscape.environment.KUBECONFIG ?? '' });
  const management = kubernetesClient({ connection, fieldManager: 'provisioner' });
  const dispatcher = googleConnections();
  const place = { client: async () => management, namespace: 'compass-system', trustedOrigin: addresses.gke };
  const tokens = new GoogleTokens({
    ...{ dispatcher, clock: systemClock },
    readKey: (secretName, signal) => findCredentials({ place, secretName, signal }),
  });
  const client = gkeClient({ endpoint: addresses.gke, tokens, dispatcher });
  const woken: WakeKey[] = [];
  const onChange = (key: WakeKey) => void woken.push(key);
  const installation = crypto.randomUUID();
  const driver = gkeDriver({
    ...{ client, tokens, installation, onChange, pollMilliseconds: 25, retryMilliseconds: 200, log: silentLog },
  });
  return {
    ...{ landscape, client, management, driver, woken, newOrder },
    rejectedOrder: () => ({
      order: newOrder({ kubernetesVersion: '1.13' }),
      words: /"1\.13" is (not offered|unsupported)/,
    }),
    loseNextCreateReply: () => {
      control.addFault({ target: 'gke', method: 'POST', path: '/clusters$', count: 1, action: { kind: 'loseReply' } });
    },
    goDown: () => {
      const body = gkeErrorBody({ status: 'UNAVAILABLE', message: 'The service is currently unavailable.' });
      control.addFault({ target: 'gke', action: { kind: 'status', status: 503, body } });
    },
    comeBack: () => control.clearFaults(),
    hold: ({ cluster }) => control.setGkeFate(cluster.name, { kind: 'stuck' }),
    letGo: ({ cluster }) => control.liftGkeFate(cluster.name),
    doom: ({ cluster }) =>
      control.setGkeFate(cluster.name, {
        ...{ kind: 'failed', code: 'GCE_QUOTA_EXCEEDED' },
        message: "Google Compute Engine: Quota 'CPUS' exceeded. Limit: 24.0 in region europe-west3.",
      }),
    changes: (order) => {
      const change = (asked: Partial<GcpConfig>) => ({
        order,
        target: { ...(order.cluster.config as GcpConfig), ...asked },
        fields: Object.keys(asked),
      });
      return {
        possible: change({ numberOfNodes: 2 }),
        impossible: { change: change({ machineType: 'n1-standard-8' }), path: 'machineType' },
      };
    },
    owned: { scope: 'gcp-secret/my-project', installation },
    countUpstream: ({ cluster }) =>
      control.googleInventory().clusters.filter(({ name }) => name === cluster.name).length,
    async [Symbol.asyncDispose]() {
      await driver.stop();
      await management.close();
      await dispatcher.close();
      await landscape.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
