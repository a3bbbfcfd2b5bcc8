import { shootKind } from '../src/clusters/gardener/shoot/shoot.ts';
import { shootManifest } from '../src/clusters/gardener/shoot/shoot-manifest.ts';
import type { GardenerConfig } from '../src/domain/gardener-config.ts';
import { newOperationId, newRuntimeId, parseTenant } from '../src/domain/ids.ts';
import type { KubernetesClient, KubernetesObject } from '../src/kubernetes/kubernetes-client.ts';

export const namespace = 'garden-dev';
const atOnce = 50;
const settings = { namespace, autoUpdateKubernetesVersion: false, autoUpdateMachineImageVersion: false };

/** Makes Shoots of other Runtimes, as large as real ones; answers their names. */
export async function makeShoots({
  garden,
  count,
  paddingBytes,
}: {
  garden: KubernetesClient;
  count: number;
  /** In the spec of each, where real ones have what Gardener and its extensions fill in. */
  paddingBytes: number;
}): Promise<readonly string[]> {
  const names = Array.from({ length: count }, (_, index) => `other-${index}`);
  await inTurns(names, async (name) => {
    await garden.create(shootKind, shootOf(name, paddingBytes));
  });
  return names;
}

/** Does the work for every item, for a number of them at once. */
export async function inTurns<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const rest = items.values();
  const worker = async () => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

function shootOf(name: string, paddingBytes: number): KubernetesObject {
  const config: GardenerConfig = {
    ...{ name, provider: 'gcp', region: 'europe-west3', targetSecret: 'gcp-credentials', workerCidr: '10.250.0.0/22' },
    ...{ kubernetesVersion: '1.34.2', machineType: 'n2-standard-4', diskType: 'pd-balanced', volumeSizeGB: 50 },
    ...{ autoScalerMin: 2, autoScalerMax: 4, maxSurge: 4, maxUnavailable: 1, purpose: 'evaluation' },
    providerSpecificConfig: { gcpConfig: { zones: ['europe-west3-a'] } },
  };
  const order = {
    ...{ runtimeId: newRuntimeId(), tenant: parseTenant('other'), subAccount: undefined },
    cluster: { driver: 'gardener', name, config, domain: undefined, seed: undefined },
  } as const;
  const shoot = shootManifest({ order, settings, operationId: newOperationId() });
  const { provider } = shoot.spec;
  const workers = provider.workers.map((worker) => ({ ...worker, annotations: padding(paddingBytes) }));
  return JSON.parse(JSON.stringify({ ...shoot, spec: { ...shoot.spec, provider: { ...provider, workers } } }));
}

/** In many small values: that is what takes room once it is parsed. */
function padding(bytes: number): Readonly<Record<string, string>> {
  const each = 60;
  const value = crypto.randomUUID();
  const entries = Array.from({ length: Math.round(bytes / each) }, (_, index) => [`bench/padding-${index}`, value]);
  return Object.fromEntries(entries);
}
