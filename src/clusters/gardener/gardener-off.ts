import type { GardenerDriver } from './gardener-order.ts';

const problem = {
  path: 'config.clusterConfig.gardenerConfig',
  message: 'this service works without a Gardener (APP_GARDENER_ENABLED is false); give gcpConfig instead',
  code: 'NOT_SUPPORTED',
} as const;

/** Where there is no Gardener: new orders are refused. Runtimes of an earlier time wait until there is one again. */
export function gardenerOff(driver: GardenerDriver): GardenerDriver {
  return { ...driver, complete: async ({ cluster }) => cluster, check: async () => [problem] };
}
