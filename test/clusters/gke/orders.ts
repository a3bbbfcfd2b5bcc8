import type { GkeOrder } from '../../../src/clusters/gke/gke-order.ts';
import type { GcpConfig } from '../../../src/domain/gcp-config.ts';
import { newRuntimeId, parseTenant } from '../../../src/domain/ids.ts';

const config: GcpConfig = {
  name: 'runtime-1',
  provider: 'gcp',
  projectName: 'my-project',
  kubernetesVersion: '1.34',
  numberOfNodes: 1,
  bootDiskSizeGB: 30,
  machineType: 'n1-standard-4',
  region: 'europe-west3-a',
  credentialsSecretName: 'gcp-secret',
};

let made = 0;

/** Another Runtime and another name with each call. */
export function newOrder(changes: Partial<GcpConfig> = {}): GkeOrder {
  made += 1;
  const name = changes.name ?? `runtime-${process.pid}-${made}`;
  return {
    runtimeId: newRuntimeId(),
    tenant: parseTenant('tenant-a'),
    subAccount: undefined,
    cluster: { driver: 'gke', name, config: { ...config, ...changes, name }, domain: undefined, seed: undefined },
  };
}
