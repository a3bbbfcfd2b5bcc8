import type { StoredChange } from '../../db/queries/configuration-changes.ts';
import type { StoredTarget } from '../../db/stored-target.ts';
import type { ClusterRecord } from '../../domain/runtime.ts';
import type * as answers from '../generated/schema.ts';
import { presentClusterConfig } from './present-cluster-config.ts';
import { presentKymaConfig } from './present-kyma-config.ts';

/** Without what is confidential. */
export function presentConfigurationChange(change: StoredChange): answers.ConfigurationChange {
  const { before, after, adoptedAt, rolledBackAt, cluster } = change;
  return { before: present(before, cluster), after: present(after, cluster), adoptedAt, rolledBackAt };
}

function present(
  { cluster: config, kyma, administrators }: StoredTarget,
  cluster: StoredChange['cluster'],
): answers.ChangedConfiguration {
  return {
    // The configuration in a change is that of the driver that the Runtime has.
    clusterConfig: config && presentClusterConfig({ ...cluster, config } as ClusterRecord),
    kymaConfig: kyma && presentKymaConfig(kyma.config),
    administrators,
  };
}
