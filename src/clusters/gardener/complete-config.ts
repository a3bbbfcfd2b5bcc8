import type { GardenerConfig } from '../../domain/gardener-config.ts';
import { diskTypesFor, machineTypesFor } from './checks/check-offer.ts';
import type { CloudProfile } from './cloud-profile/cloud-profile.ts';
import type { ProviderSupport } from './providers/provider-support.ts';

/** Of the machine type for whoever names none. */
const least = { cpus: 4, memoryGi: 16 };

/**
 * Fills in what kind of nodes a cluster gets when the caller does not say: the customary ones where the CloudProfile
 * offers them in the zones of the order, or else the first ones of the profile that fit. Without a profile: the
 * customary ones. What Gardener chooses by itself, such as the version of Kubernetes, stays open.
 */
export function completeConfig({
  config,
  provider,
  profile,
}: {
  config: GardenerConfig;
  provider: ProviderSupport;
  profile: CloudProfile | undefined;
}): GardenerConfig {
  const offer = profile && { config, provider, profile };
  const { machineType = offer ? chooseMachineType(offer) : provider.defaultMachineType } = config;
  const { defaultVolume } = provider;
  if (!defaultVolume) return { ...config, machineType };
  const { diskType = offer ? chooseDiskType(offer, defaultVolume.type) : defaultVolume.type } = config;
  return { ...config, machineType, diskType, volumeSizeGB: config.volumeSizeGB ?? defaultVolume.sizeGB };
}

type Offer = Parameters<typeof machineTypesFor>[0];

/** The smallest one that is large enough; of several, the first in the profile. */
function chooseMachineType(offer: Offer): string {
  const customary = offer.provider.defaultMachineType;
  const fitting = machineTypesFor(offer);
  if (fitting.some(({ name }) => name === customary)) return customary;
  const [smallest] = fitting
    .filter(({ cpus, memoryGi, gpus }) => cpus >= least.cpus && memoryGi >= least.memoryGi && gpus === 0)
    .toSorted((one, other) => one.cpus - other.cpus || one.memoryGi - other.memoryGi);
  return smallest?.name ?? customary;
}

function chooseDiskType(offer: Offer, customary: string): string {
  const fitting = diskTypesFor(offer);
  return fitting.includes(customary) ? customary : (fitting[0] ?? customary);
}
