import type { Problem } from '../domain/failures.ts';
import type { ClusterRecord } from '../domain/runtime.ts';
import { generateClusterName } from './cluster-name.ts';
import type { ProvisionRuntimeInput } from './generated/schema.ts';
import { parseGardenerConfig } from './parse-gardener-config.ts';
import { parseGcpConfig } from './parse-gcp-config.ts';

export interface ParsedCluster {
  /** Undefined when there is none; with problems, it is only for finding more of them. */
  readonly cluster: ClusterRecord | undefined;
  readonly problems: readonly Problem[];
  /** No name, or an empty one: then we choose. */
  readonly nameIsOurs: boolean;
}

/** The cluster that is asked for, with its driver. */
export function parseCluster({
  clusterConfig: { gardenerConfig, gcpConfig },
  credentials,
}: Pick<ProvisionRuntimeInput, 'clusterConfig' | 'credentials'>): ParsedCluster {
  const path = 'config.clusterConfig';
  if (gardenerConfig && gcpConfig)
    return noCluster({ path, message: 'give either gardenerConfig or gcpConfig, not both' });
  if (gardenerConfig) {
    const { config, problems } = parseGardenerConfig(gardenerConfig, `${path}.gardenerConfig`);
    return { cluster: { driver: 'gardener', ...begun(config) }, problems, nameIsOurs: !gardenerConfig.name?.trim() };
  }
  if (gcpConfig) {
    const { config, problems } = parseGcpConfig(gcpConfig, credentials, `${path}.gcpConfig`);
    return { cluster: { driver: 'gke', ...begun(config) }, problems, nameIsOurs: !gcpConfig.name?.trim() };
  }
  const message = 'error: Cluster config with Gardener config not provided; give gardenerConfig, or gcpConfig';
  return noCluster({ path, message });
}

function noCluster(problem: Problem): ParsedCluster {
  return { cluster: undefined, problems: [problem], nameIsOurs: false };
}

/** The same cluster under another name. */
export function renamed(cluster: ClusterRecord): ClusterRecord {
  const name = generateClusterName();
  // Written out, so that each configuration stays with its driver.
  return cluster.driver === 'gardener'
    ? { driver: cluster.driver, ...begun({ ...cluster.config, name }) }
    : { driver: cluster.driver, ...begun({ ...cluster.config, name }) };
}

function begun<Config extends { readonly name: string }>(config: Config) {
  return { name: config.name, config, domain: undefined, seed: undefined };
}
