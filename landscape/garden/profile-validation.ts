import type { KubeObject } from '../kubernetes/resource-type.ts';
import type { CloudProfileSpec } from './cloud-profiles.ts';
import { type FieldError, forbidden, invalid, notSupported } from './field-errors.ts';
import { isExpired } from './versions.ts';

/** What is wrong with a Shoot in the light of its CloudProfile and binding (the plugins that answer 403). */
export function validateAgainstProfile(
  shoot: KubeObject,
  old: KubeObject | undefined,
  profile: CloudProfileSpec,
  binding: KubeObject | undefined,
): FieldError[] {
  const { spec } = shoot;
  if (spec.provider.type !== profile.type) {
    return [
      invalid(
        'spec.provider.type',
        spec.provider.type,
        `provider type in shoot must equal provider type of referenced CloudProfile: "${profile.type}"`,
      ),
    ];
  }
  if (binding && binding.provider?.type !== spec.provider.type) {
    return [
      invalid(
        'spec.provider.type',
        spec.provider.type,
        `provider type in shoot must match provider type of referenced CredentialsBinding: "${binding.provider?.type}"`,
      ),
    ];
  }
  const workers: KubeObject['spec'][] = spec.provider.workers ?? [];
  return [
    ...validateVersion(spec, old?.spec, profile),
    ...validateRegion(spec, profile),
    ...validateAccessRestrictions(spec, profile),
    ...workers.flatMap((worker, index) => {
      const before = old?.spec.provider.workers?.find(({ name }: { name: string }) => name === worker.name);
      return validateWorker(worker, before, index, spec.region, profile);
    }),
  ];
}

function validateVersion(
  spec: KubeObject['spec'],
  old: KubeObject['spec'] | undefined,
  profile: CloudProfileSpec,
): FieldError[] {
  const { version } = spec.kubernetes;
  if (version === old?.kubernetes.version) return [];
  const usable = profile.kubernetes.versions.filter((one) => !isExpired(one)).map((one) => one.version);
  if (usable.includes(version)) return [];
  return [notSupported('spec.kubernetes.version', version, usable)];
}

function validateRegion(spec: KubeObject['spec'], profile: CloudProfileSpec): FieldError[] {
  const names = profile.regions.map(({ name }) => name);
  return names.includes(spec.region) ? [] : [notSupported('spec.region', spec.region, names)];
}

function validateAccessRestrictions(spec: KubeObject['spec'], profile: CloudProfileSpec): FieldError[] {
  const offered = profile.regions.find(({ name }) => name === spec.region)?.accessRestrictions ?? [];
  const wanted: { name: string }[] = spec.accessRestrictions ?? [];
  return wanted.flatMap(({ name }, index) => {
    if (offered.some((one) => one.name === name)) return [];
    const words = `access restriction ${JSON.stringify(name)} is not supported in region ${JSON.stringify(spec.region)}`;
    return [forbidden(`spec.accessRestrictions[${index}]`, words)];
  });
}

function validateWorker(
  worker: KubeObject['spec'],
  old: KubeObject['spec'] | undefined,
  index: number,
  region: string,
  profile: CloudProfileSpec,
): FieldError[] {
  const path = `spec.provider.workers[${index}]`;
  return [
    ...validateMachine(worker, old, path, profile),
    ...validateVolume(worker, path, profile),
    ...validateZones(worker, path, region, profile),
  ];
}

function validateMachine(
  { machine }: KubeObject['spec'],
  old: KubeObject['spec'] | undefined,
  path: string,
  profile: CloudProfileSpec,
): FieldError[] {
  const offered = profile.machineTypes
    .filter((one) => one.usable && one.architecture === machine.architecture)
    .map(({ name }) => name);
  const type = profile.machineTypes.find(({ name }) => name === machine.type);
  if (!type) return [notSupported(`${path}.machine.type`, machine.type, offered)];
  if (type.architecture !== machine.architecture) {
    const words = `machine type "${machine.type}" does not support CPU architecture "${machine.architecture}", supported types are [${offered.join(' ')}]`;
    return [invalid(`${path}.machine.type`, machine.type, words)];
  }
  return validateImage(machine, old?.machine, path, profile);
}

function validateImage(
  { image, architecture }: KubeObject['spec'],
  old: KubeObject['spec'] | undefined,
  path: string,
  profile: CloudProfileSpec,
): FieldError[] {
  if (image && image.name === old?.image?.name && image.version === old?.image?.version) return [];
  const known = profile.machineImages.filter(({ name }) => name === image?.name);
  const field = `${path}.machine.image`;
  if (known.length === 0) return [invalid(field, image?.name ?? '', 'image is not supported')];
  const usable = known.flatMap(({ name, versions }) =>
    versions
      .filter((one) => !isExpired(one) && one.architectures.includes(architecture))
      .map(({ version }) => `${name}:${version}`),
  );
  const version = known[0]?.versions.find((one) => one.version === image.version);
  const list = `[${usable.join(' ')}]`;
  if (!version)
    return [
      invalid(field, image, `machine image version is not supported, supported machine image versions are: ${list}`),
    ];
  if (!isExpired(version)) return [];
  return [
    invalid(
      field,
      image,
      `machine image version '${image.name}:${image.version}' is expired, supported machine image versions are: ${list}`,
    ),
  ];
}

function validateVolume({ volume }: KubeObject['spec'], path: string, profile: CloudProfileSpec): FieldError[] {
  if (!volume?.type) return [];
  const type = profile.volumeTypes.find(({ name }) => name === volume.type);
  if (!type) {
    return [
      notSupported(
        `${path}.volume.type`,
        volume.type,
        profile.volumeTypes.filter(({ usable }) => usable).map(({ name }) => name),
      ),
    ];
  }
  if (type.minSize && Number.parseInt(volume.size, 10) < Number.parseInt(type.minSize, 10)) {
    return [invalid(`${path}.volume.size`, volume.size, `size must be >= ${type.minSize}`)];
  }
  return [];
}

function validateZones(
  { zones }: KubeObject['spec'],
  path: string,
  region: string,
  profile: CloudProfileSpec,
): FieldError[] {
  const offered = profile.regions.find(({ name }) => name === region)?.zones.map(({ name }) => name);
  if (!offered) return [];
  return (zones ?? []).flatMap((zone: string, index: number) => {
    const field = `${path}.zones[${index}]`;
    if (offered.length === 0) {
      return [invalid(field, region, 'this region does not support availability zones, please do not configure them')];
    }
    return offered.includes(zone) ? [] : [notSupported(field, zone, offered)];
  });
}
