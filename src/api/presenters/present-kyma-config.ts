import type { SealedEntry, SealedKymaConfig } from '../../db/kyma-config-sealing.ts';
import type { ConfigurationEntry, KymaConfig } from '../../domain/kyma-config.ts';
import type * as answers from '../generated/schema.ts';

/** As it was asked for, without what is confidential. */
export function presentKymaConfig(config: KymaConfig | SealedKymaConfig): answers.KymaConfig {
  return {
    version: config.version,
    profile: config.profile,
    conflictStrategy: config.conflictStrategy,
    components: config.components.map(({ configuration, ...component }) => ({
      ...component,
      configuration: configuration?.map(presentEntry),
    })),
    modules: config.modules,
    configuration: config.configuration?.map(presentEntry),
  };
}

function presentEntry(entry: ConfigurationEntry | SealedEntry): answers.ConfigEntry {
  const { key, secret = false } = entry;
  return { key, value: 'value' in entry && !secret ? entry.value : undefined, secret };
}
