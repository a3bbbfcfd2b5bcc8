import type { GardenerConfig, ProviderSpecificConfig } from '../../../domain/gardener-config.ts';

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
  readonly cloudProfile: string;
  readonly defaultVolume: { readonly type: string; readonly sizeGB: number };
  nodesCidr(config: GardenerConfig): string;
  zones(config: GardenerConfig): readonly string[];
  /** Completes a sentence that begins with the zone; undefined when the zone may be one of the region. */
  zoneMistake(zone: string, region: string): string | undefined;
  readonly zonesPath: string;
  readonly zonesRequired: boolean;
  ranges(config: GardenerConfig): RangeRules;
  infrastructureConfig(config: GardenerConfig): object;
  controlPlaneConfig(config: GardenerConfig): object | undefined;
}

type Block<Name extends keyof ProviderSpecificConfig> = NonNullable<ProviderSpecificConfig[Name]>;

interface Definition<Name extends keyof ProviderSpecificConfig> {
  readonly block: Name;
  readonly cloudProfile: string;
  readonly defaultVolume: { readonly type: string; readonly sizeGB: number };
  readonly zonesRequired: boolean;
  /** Path of the zones below `block`. */
  readonly zonesPath: string;
  readonly nodesCidr: (config: GardenerConfig, block: Block<Name>) => string;
  readonly zones: (block: Block<Name>) => readonly string[];
  /** Completes a sentence that begins with the zone; undefined when the zone may be one of the region. */
  readonly zoneMistake: (zone: string, region: string) => string | undefined;
  readonly ranges: (config: GardenerConfig, block: Block<Name>) => RangeRules;
  readonly infrastructureConfig: (config: GardenerConfig, block: Block<Name>) => object;
  readonly controlPlaneConfig?: (block: Block<Name>) => object;
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
  const zonesPath = `providerSpecificConfig.${name}.${definition.zonesPath}`;
  return {
    block: name,
    cloudProfile: definition.cloudProfile,
    defaultVolume: definition.defaultVolume,
    zonesPath,
    zonesRequired: definition.zonesRequired,
    nodesCidr: (config) => definition.nodesCidr(config, blockOf(config)),
    zones: (config) => definition.zones(blockOf(config)),
    zoneMistake: definition.zoneMistake,
    ranges: (config) => definition.ranges(config, blockOf(config)),
    infrastructureConfig: (config) => definition.infrastructureConfig(config, blockOf(config)),
    controlPlaneConfig: (config) => definition.controlPlaneConfig?.(blockOf(config)),
  };
}

export function workerRange(config: GardenerConfig): NamedRange {
  return { path: 'workerCidr', text: config.workerCidr };
}
