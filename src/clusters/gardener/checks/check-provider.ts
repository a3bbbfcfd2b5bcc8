import {
  type GardenerConfig,
  type GardenerProvider,
  gardenerProviders,
  type ProviderSpecificConfig,
} from '../../../domain/gardener-config.ts';
import { providers } from '../providers/providers.ts';
import type { Mistake } from './mistake.ts';

/** The provider must exist, and exactly its own block must be given. */
export function checkProvider({ provider, providerSpecificConfig }: GardenerConfig): readonly Mistake[] {
  if (!isGardenerProvider(provider)) {
    return [
      {
        path: 'provider',
        message: `provider "${provider}" is not supported; use one of ${gardenerProviders.join(', ')}`,
      },
    ];
  }
  const { block } = providers[provider];
  const given = Object.keys(providerSpecificConfig).filter(
    (name) => providerSpecificConfig[name as keyof ProviderSpecificConfig] != null,
  );
  if (given.length === 1 && given[0] === block) return [];
  const wanted = `provider "${provider}" needs ${block} in providerSpecificConfig, and nothing else`;
  const found = given.length === 0 ? 'it is empty' : `it has ${given.join(' and ')}`;
  return [{ path: 'providerSpecificConfig', message: `${wanted}; ${found}` }];
}

function isGardenerProvider(name: string): name is GardenerProvider {
  return (gardenerProviders as readonly string[]).includes(name);
}
