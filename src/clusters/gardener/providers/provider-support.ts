import type { GardenerConfig, ProviderSpecificConfig } from '../../../domain/gardener-config.ts';
import type { Mistake } from '../checks/mistake.ts';
import type { ShootPolicy } from '../shoot/shoot-policy.ts';

/** A range in an input, under the name by which the caller knows it. */
export interface NamedRange {
  /** Path below `gardenerConfig`, such as `providerSpecificConfig.awsConfig.awsZones[0].publicCidr`. */
  readonly path: string;
  readonly text: string;
}

/** Which ranges an input has, and how they must lie. */
export interface RangeRules {
  readonly ranges: readonly NamedRange[];
  /** Pairs of which the second must hold the first. */
  readonly inside: readonly (readonly [inner: NamedRange, outer: NamedRange])[];
  /** Groups in which no two may overlap; pods and services are added to each. */
  readonly disjoint: readonly (readonly NamedRange[])[];
}

/** What differs between clouds under Gardener. */
export interface ProviderSupport {
  readonly block: keyof ProviderSpecificConfig;
  cloudProfile(config: GardenerConfig): string;
  /** For callers who name none, where the CloudProfile offers it: 4 CPUs and 16 GiB, of the current general-purpose family. */
  readonly defaultMachineType: string;
  /** Undefined: the machine type brings the disk, and none can be asked for. */
  readonly defaultVolume: DefaultVolume | undefined;
  /** For callers who name none; Gardener's own when there is none here either. */
  readonly exposureClass: string | undefined;
  /** Keys of the seeds' taints that clusters in a region have to tolerate. */
  tolerations(region: string): readonly string[];
  nodesCidr(config: GardenerConfig): string;
  zones(config: GardenerConfig): readonly string[];
  /** Completes a sentence that begins with the zone; undefined when the zone may be one of the region. */
  zoneMistake(zone: string, region: string): string | undefined;
  zonesPath(config: GardenerConfig): string;
  readonly zonesRequired: boolean;
  ranges(config: GardenerConfig): RangeRules;
  infrastructureConfig(config: GardenerConfig): object;
  controlPlaneConfig(config: GardenerConfig): object | undefined;
  workerConfig(config: GardenerConfig, policy: ShootPolicy): object | undefined;
  /** What is wrong with the block beyond its zones and ranges. */
  mistakes(config: GardenerConfig): Iterable<Mistake>;
}

interface DefaultVolume {
  readonly type: string;
  readonly sizeGB: number;
}

type Block<Name extends keyof ProviderSpecificConfig> = NonNullable<ProviderSpecificConfig[Name]>;

interface Definition<Name extends keyof ProviderSpecificConfig> {
  readonly block: Name;
  readonly cloudProfile: (block: Block<Name>) => string;
  readonly defaultMachineType: string;
  readonly defaultVolume?: DefaultVolume;
  readonly exposureClass?: string;
  readonly tolerations?: (region: string) => readonly string[];
  readonly zonesRequired: boolean;
  /** Path of the zones below `block`. */
  readonly zonesPath: string | ((block: Block<Name>) => string);
  readonly nodesCidr: (config: GardenerConfig, block: Block<Name>) => string;
  readonly zones: (block: Block<Name>) => readonly string[];
  /** Completes a sentence that begins with the zone; undefined when the zone may be one of the region. */
  readonly zoneMistake: (zone: string, region: string) => string | undefined;
  readonly ranges: (config: GardenerConfig, block: Block<Name>) => RangeRules;
  readonly infrastructureConfig: (config: GardenerConfig, block: Block<Name>) => object;
  readonly controlPlaneConfig?: (block: Block<Name>) => object;
  readonly workerConfig?: (block: Block<Name>, policy: ShootPolicy) => object | undefined;
  /** Paths below `block`. */
  readonly mistakes?: (block: Block<Name>) => Iterable<Mistake>;
}

/** A provider whose functions are given the block of the input that is theirs. */
export function defineProvider<Name extends keyof ProviderSpecificConfig>(
  definition: Definition<Name>,
): ProviderSupport {
  const { block: name } = definition;
  const blockOf = (config: GardenerConfig): Block<Name> => {
    const block = config.providerSpecificConfig[name];
    if (!block) throw new Error(`providerSpecificConfig.${name} is missing`);
    return block;
  };
  const zonesPath = (block: Block<Name>) =>
    typeof definition.zonesPath === 'string' ? definition.zonesPath : definition.zonesPath(block);
  const within = (path: string) => `providerSpecificConfig.${name}.${path}`;
  return {
    block: name,
    cloudProfile: (config) => definition.cloudProfile(blockOf(config)),
    defaultMachineType: definition.defaultMachineType,
    defaultVolume: definition.defaultVolume,
    exposureClass: definition.exposureClass,
    tolerations: (region) => definition.tolerations?.(region) ?? [],
    zonesPath: (config) => within(zonesPath(blockOf(config))),
    zonesRequired: definition.zonesRequired,
    nodesCidr: (config) => definition.nodesCidr(config, blockOf(config)),
    zones: (config) => definition.zones(blockOf(config)),
    zoneMistake: definition.zoneMistake,
    ranges: (config) => definition.ranges(config, blockOf(config)),
    infrastructureConfig: (config) => definition.infrastructureConfig(config, blockOf(config)),
    controlPlaneConfig: (config) => definition.controlPlaneConfig?.(blockOf(config)),
    workerConfig: (config, policy) => definition.workerConfig?.(blockOf(config), policy),
    *mistakes(config) {
      for (const { path, message } of definition.mistakes?.(blockOf(config)) ?? []) {
        yield { path: within(path), message };
      }
    },
  };
}

/** Where there is no other range to consider. */
export function onlyWorkers(config: GardenerConfig): RangeRules {
  const workers = workerRange(config);
  return { ranges: [workers], inside: [], disjoint: [[workers]] };
}

export function workerRange(config: GardenerConfig): NamedRange {
  return { path: 'workerCidr', text: config.workerCidr };
}
