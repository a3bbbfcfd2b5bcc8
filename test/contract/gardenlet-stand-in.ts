import { Agent, request } from 'undici';
import { asShoot, type Shoot, shootKind } from '../../src/clusters/gardener/shoot/shoot.ts';
import type { ClusterConnection } from '../../src/kubernetes/cluster-connection.ts';
import { Informer } from '../../src/kubernetes/informer.ts';
import type { KubernetesClient } from '../../src/kubernetes/kubernetes-client.ts';
import { isObjectNotFound } from '../../src/kubernetes/kubernetes-error.ts';
import { silentLog } from '../harness/silent-log.ts';

const finalizer = 'gardener';

export interface GardenletStandIn {
  /** The Shoot stays as it is until it is let go. */
  hold(name: string): void;
  /** The Shoot's creation fails for want of quota. */
  doom(name: string): void;
  letGo(name: string): void;
  stop(): Promise<void>;
}

/**
 * Walks Shoots through their life on an API server that knows nothing of them, by the writes that Gardener's own
 * controllers would make: a finalizer, a domain, a status for each generation, and the finalizer's removal.
 */
export async function startGardenletStandIn({
  client,
  connection,
  namespace,
}: {
  client: KubernetesClient;
  connection: ClusterConnection;
  namespace: string;
}): Promise<GardenletStandIn> {
  const held = new Set<string>();
  const doomed = new Set<string>();
  const writes = new Set<Promise<void>>();
  const putStatus = statusWriter({ connection, namespace });
  const informer = new Informer({ client, kind: shootKind, namespace, log: silentLog });

  async function advance(shoot: Shoot): Promise<void> {
    const { name = '', generation, deletionTimestamp, finalizers = [] } = shoot.metadata;
    const reference = { ...shootKind, namespace, name };
    const domain = `${name}.dev.example.com`;
    if (deletionTimestamp !== undefined) {
      if (!held.has(name)) await client.patch(reference, { metadata: { finalizers: [] } });
    } else if (!finalizers.includes(finalizer)) {
      await client.patch(reference, { metadata: { finalizers: [finalizer] }, spec: { dns: { domain } } });
    } else if (held.has(name)) {
      if (!shoot.status?.lastOperation) await putStatus(name, { lastOperation: creation('Processing', 30) });
    } else if (shoot.status?.observedGeneration !== generation || shoot.status?.lastOperation?.state === 'Processing') {
      await putStatus(name, { observedGeneration: generation, ...(doomed.has(name) ? failed : succeeded(domain)) });
    }
  }

  function look(shoot: Shoot | undefined): void {
    if (shoot === undefined) return;
    const write: Promise<void> = advance(shoot)
      .catch((error: unknown) => {
        if (!isObjectNotFound(error)) throw error;
      })
      .finally(() => writes.delete(write));
    writes.add(write);
  }

  const lookAgain = (name: string) => {
    const object = informer.get(name);
    look(object && asShoot(object));
  };
  informer.onChange(({ type, object }) => {
    if (type !== 'deleted') look(asShoot(object));
  });
  informer.start();
  await informer.synced;
  return {
    hold: (name) => void held.add(name),
    doom: (name) => void doomed.add(name),
    letGo(name) {
      held.delete(name);
      doomed.delete(name);
      lookAgain(name);
    },
    async stop() {
      await informer.stop();
      await Promise.all(writes);
      await putStatus.close();
    },
  };
}

function creation(state: string, progress: number) {
  return { type: 'Create', state, progress, description: 'played', lastUpdateTime: new Date().toISOString() };
}

function succeeded(domain: string) {
  const advertisedAddresses = [{ name: 'external', url: `https://api.${domain}` }];
  return { lastOperation: creation('Succeeded', 100), lastErrors: [], advertisedAddresses };
}

const failed = {
  lastOperation: creation('Failed', 30),
  lastErrors: [{ description: "Quota 'CPUS' exceeded", codes: ['ERR_INFRA_QUOTA_EXCEEDED'] }],
};

/** Merges into the status subresource, which our own client never writes. */
function statusWriter({ connection, namespace }: { connection: ClusterConnection; namespace: string }) {
  const { server, certificateAuthority: ca, credential } = connection;
  if (credential.kind !== 'clientCertificate' || ca === undefined) throw new Error('a client certificate is needed');
  const dispatcher = new Agent({ connect: { ca, cert: credential.certificate, key: credential.key.reveal() } });
  const write = async (name: string, status: object) => {
    const url = `${server}/apis/${shootKind.apiVersion}/namespaces/${namespace}/shoots/${name}/status`;
    const { statusCode, body } = await request(url, {
      method: 'PATCH',
      dispatcher,
      headers: { 'content-type': 'application/merge-patch+json' },
      body: JSON.stringify({ status }),
    });
    const text = await body.text();
    if (statusCode !== 200 && statusCode !== 404) throw new Error(`status of ${name}: ${statusCode} ${text}`);
  };
  return Object.assign(write, { close: () => dispatcher.close() });
}
