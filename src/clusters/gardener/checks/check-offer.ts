import type { GardenerConfig } from '../../../domain/gardener-config.ts';
import { choices } from '../cloud-profile/choices.ts';
import { type CloudProfile, type MachineType, nodeArchitecture, type Zone } from '../cloud-profile/cloud-profile.ts';
import type { ProviderSupport } from '../providers/provider-support.ts';
import type { Mistake } from './mistake.ts';

interface Offer {
  readonly config: GardenerConfig;
  readonly provider: ProviderSupport;
  readonly profile: CloudProfile;
}

/** All that is asked for and that the CloudProfile does not offer, each with what it does offer. */
export function checkOffer(offer: Offer): readonly Mistake[] {
  return [
    ...checkPlace(offer),
    ...checkKubernetesVersion(offer),
    ...checkMachineType(offer),
    ...checkImage(offer),
    ...checkDiskType(offer),
  ];
}

/** Machine types for nodes in every zone of the order; what no zone lacks when it names none. */
export function machineTypesFor(offer: Offer): readonly MachineType[] {
  const zones = zonesOf(offer);
  return offer.profile.machineTypes.filter(
    ({ name, architecture }) =>
      architecture === nodeArchitecture && !zones.some(({ lacksMachineTypes }) => lacksMachineTypes.includes(name)),
  );
}

export function diskTypesFor(offer: Offer): readonly string[] {
  const zones = zonesOf(offer);
  return offer.profile.volumeTypes.filter(
    (name) => !zones.some(({ lacksVolumeTypes }) => lacksVolumeTypes.includes(name)),
  );
}

/** Those of the order that the region has. */
function zonesOf({ config, provider, profile }: Offer): readonly Zone[] {
  const wanted = provider.zones(config);
  const offered = profile.regions.find(({ name }) => name === config.region)?.zones ?? [];
  return offered.filter(({ name }) => wanted.includes(name));
}

function* checkPlace({ config, provider, profile }: Offer): Generator<Mistake> {
  const { region: wanted } = config;
  const region = profile.regions.find(({ name }) => name === wanted);
  if (!region) {
    const names = profile.regions.map(({ name }) => name);
    yield { path: 'region', message: `region "${wanted}" is not offered; offered are ${choices(wanted, names)}` };
    return;
  }
  const path = provider.zonesPath(config);
  const offered = region.zones.map(({ name }) => name);
  for (const zone of new Set(provider.zones(config))) {
    if (offered.includes(zone)) continue;
    const instead =
      offered.length === 0 ? 'which has none: leave them out' : `whose zones are ${choices(zone, offered)}`;
    yield { path, message: `zone "${zone}" does not exist in region ${region.name}, ${instead}` };
  }
}

function* checkKubernetesVersion({ config: { kubernetesVersion: wanted }, profile }: Offer): Generator<Mistake> {
  if (wanted === undefined) return;
  const path = 'kubernetesVersion';
  const versions = profile.kubernetesVersions.map(({ version }) => version);
  if (/^\d+(\.\d+)?$/.test(wanted)) {
    const patches = profile.kubernetesVersions.filter(({ version }) => version.startsWith(`${wanted}.`));
    if (patches.some(({ preview }) => !preview)) return;
    if (patches.length > 0) {
      const named = patches.map(({ version }) => version);
      const message = `${path} "${wanted}" has only previews, which have to be named in full: ${choices(wanted, named)}`;
      yield { path, message };
      return;
    }
  } else if (versions.includes(wanted)) return;
  yield {
    path,
    message: `${path} "${wanted}" is not offered, or not any more; offered are ${choices(wanted, versions)}`,
  };
}

function* checkMachineType(offer: Offer): Generator<Mistake> {
  const { machineType: wanted, region } = offer.config;
  const fitting = machineTypesFor(offer).map(({ name }) => name);
  if (wanted === undefined || fitting.includes(wanted)) return;
  const path = 'machineType';
  const known = offer.profile.machineTypes.find(({ name }) => name === wanted);
  const instead = choices(wanted, fitting);
  if (!known) yield { path, message: `${path} "${wanted}" is not offered; offered are ${instead}` };
  else if (known.architecture !== nodeArchitecture) {
    const message = `${path} "${wanted}" has CPUs of the architecture ${known.architecture}, and nodes need ${nodeArchitecture}; such are ${instead}`;
    yield { path, message };
  } else {
    const lacking = zonesOf(offer).filter(({ lacksMachineTypes }) => lacksMachineTypes.includes(wanted));
    yield { path, message: `${path} "${wanted}" ${notEverywhere(lacking, region)} ${instead}` };
  }
}

function* checkDiskType(offer: Offer): Generator<Mistake> {
  const { diskType: wanted, region } = offer.config;
  const fitting = diskTypesFor(offer);
  if (wanted === undefined || !offer.provider.defaultVolume || fitting.includes(wanted)) return;
  const path = 'diskType';
  const instead = choices(wanted, fitting);
  if (!offer.profile.volumeTypes.includes(wanted)) {
    yield { path, message: `${path} "${wanted}" is not offered; offered are ${instead}` };
    return;
  }
  const lacking = zonesOf(offer).filter(({ lacksVolumeTypes }) => lacksVolumeTypes.includes(wanted));
  yield { path, message: `${path} "${wanted}" ${notEverywhere(lacking, region)} ${instead}` };
}

function notEverywhere(zones: readonly Zone[], region: string): string {
  const names = zones.map(({ name }) => name).join(' and ');
  return `is not offered in zone ${names} of region ${region}; offered in every zone of this order are`;
}

function* checkImage({ config, profile }: Offer): Generator<Mistake> {
  const { machineImage: wanted, machineImageVersion: wantedVersion } = config;
  if (wanted === undefined) return;
  const image = profile.machineImages.find(({ name }) => name === wanted);
  if (!image) {
    const names = profile.machineImages.map(({ name }) => name);
    const message = `machineImage "${wanted}" is not offered; offered are ${choices(wanted, names)}`;
    yield { path: 'machineImage', message };
    return;
  }
  if (wantedVersion === undefined) return;
  const versions = image.versions
    .filter(({ architectures }) => architectures.length === 0 || architectures.includes(nodeArchitecture))
    .map(({ version }) => version);
  // Like Kubernetes' own, an image's version may be given by its beginning.
  if (versions.some((version) => version === wantedVersion || version.startsWith(`${wantedVersion}.`))) return;
  const path = 'machineImageVersion';
  const instead = choices(wantedVersion, versions);
  yield {
    path,
    message: `${path} "${wantedVersion}" of ${wanted} is not offered, or not any more; offered are ${instead}`,
  };
}
