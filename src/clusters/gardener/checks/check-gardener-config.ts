import type { GardenerConfig } from '../../../domain/gardener-config.ts';
import type { GardenerOrder } from '../gardener-order.ts';
import { onlyWorkers, type ProviderSupport } from '../providers/provider-support.ts';
import { providers } from '../providers/providers.ts';
import { checkName } from './check-name.ts';
import { checkNetworks } from './check-networks.ts';
import { checkOptions } from './check-options.ts';
import { checkProvider } from './check-provider.ts';
import { checkWorkers } from './check-workers.ts';
import { checkZones } from './check-zones.ts';
import type { Mistake } from './mistake.ts';

const purposes = ['evaluation', 'testing', 'development', 'production'];

/** All mistakes that can be found without asking Gardener, in the caller's words and with the caller's values. */
export function checkGardenerConfig(order: GardenerOrder, project: string): readonly Mistake[] {
  const { config, name } = order.cluster;
  const mismatch = checkProvider(config);
  const common = [
    ...checkName(name, project),
    ...checkTenant(order),
    ...required('region', config.region),
    ...required('targetSecret', config.targetSecret),
    ...checkPurpose(config.purpose),
    ...checkWorkers(config),
    ...checkOptions(config, project),
  ];
  // What follows reads the provider's own block, which must be the right one for that.
  if (mismatch.length > 0) return [...mismatch, ...common, ...checkNetworks(config, onlyWorkers(config))];
  const provider = providers[config.provider];
  return [
    ...common,
    ...provider.mistakes(config),
    ...checkVolume(config, provider),
    ...checkZones(config, provider),
    ...checkNetworks(config, provider.ranges(config)),
  ];
}

function required(path: string, value: string): readonly Mistake[] {
  return value.trim() === '' ? [{ path, message: `${path} is empty` }] : [];
}

/** The sentence of the original, which its clients know. */
function checkVolume(
  { diskType, volumeSizeGB }: GardenerConfig,
  { defaultVolume }: ProviderSupport,
): readonly Mistake[] {
  if (defaultVolume || (diskType === undefined && volumeSizeGB === undefined)) return [];
  const message = 'error: OpenStack mutation does not accept diskType or volumeSizeGb parameters';
  return [{ path: diskType === undefined ? 'volumeSizeGB' : 'diskType', message }];
}

function checkPurpose(purpose: string | undefined): readonly Mistake[] {
  if (purpose === undefined || purposes.includes(purpose)) return [];
  return [{ path: 'purpose', message: `purpose "${purpose}" does not exist; use one of ${purposes.join(', ')}` }];
}

/** The tenant and the sub-account become labels of the Shoot. */
function checkTenant({ tenant, subAccount = '' }: GardenerOrder): readonly Mistake[] {
  const label = /^$|^[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$/;
  return Object.entries({ tenant, 'sub-account': subAccount })
    .filter(([, value]) => !label.test(value))
    .map(([header, value]) => ({
      path: '',
      message: `header ${header} "${value}" cannot label the cluster: at most 63 letters, digits, "-", "_" and "."`,
    }));
}
