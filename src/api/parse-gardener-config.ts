import type { Problem } from '../domain/failures.ts';
import type { DnsConfig, GardenerConfig, GardenerProvider, OidcConfig } from '../domain/gardener-config.ts';
import { generateClusterName } from './cluster-name.ts';
import type { DNSConfigInput, GardenerConfigInput, OIDCConfigInput } from './generated/schema.ts';
import { given, onlyGiven, withoutNulls } from './given.ts';
import { parseProviderSpecific } from './parse-provider-specific.ts';

/**
 * The input with those defaults filled in that depend on nothing else; the driver completes the rest. Only what must be
 * there is judged here; the rest is the driver's, too. With problems, the configuration is only for finding more of them.
 */
export function parseGardenerConfig(
  input: GardenerConfigInput,
  path: string,
): { config: GardenerConfig; problems: readonly Problem[] } {
  const problems: Problem[] = [];
  for (const field of ['region', 'targetSecret', 'workerCidr'] as const) {
    if (input[field].trim() === '') problems.push({ path: `${path}.${field}`, message: 'must not be empty' });
  }
  const specific = parseProviderSpecific({
    input: input.providerSpecificConfig,
    workerCidr: input.workerCidr,
    path: `${path}.providerSpecificConfig`,
  });
  problems.push(...specific.problems);

  const autoScalerMin = input.autoScalerMin ?? input.nodeCount ?? 2;
  const config: GardenerConfig = {
    name: given(input.name) ?? generateClusterName(),
    // The driver refuses any other, together with what else is wrong.
    provider: input.provider as GardenerProvider,
    region: input.region,
    targetSecret: input.targetSecret,
    workerCidr: input.workerCidr,
    autoScalerMin,
    autoScalerMax: input.autoScalerMax ?? Math.max(4, autoScalerMin),
    maxSurge: input.maxSurge ?? 1,
    maxUnavailable: input.maxUnavailable ?? 0,
    providerSpecificConfig: specific.config,
    ...onlyGiven({
      kubernetesVersion: given(input.kubernetesVersion),
      machineType: given(input.machineType),
      machineImage: given(input.machineImage),
      machineImageVersion: given(input.machineImageVersion),
      diskType: given(input.diskType),
      volumeSizeGB: input.volumeSizeGB,
      purpose: given(input.purpose),
      licenceType: given(input.licenceType),
      seed: given(input.seed),
      shootAndSeedSameRegion: input.shootAndSeedSameRegion,
      podsCidr: given(input.podsCidr),
      servicesCidr: given(input.servicesCidr),
      enableKubernetesVersionAutoUpdate: input.enableKubernetesVersionAutoUpdate,
      enableMachineImageVersionAutoUpdate: input.enableMachineImageVersionAutoUpdate,
      allowPrivilegedContainers: input.allowPrivilegedContainers,
      oidcConfig: input.oidcConfig && parseOidc(input.oidcConfig),
      dnsConfig: input.dnsConfig && parseDns(input.dnsConfig),
      exposureClassName: given(input.exposureClassName),
      shootNetworkingFilterDisabled: input.shootNetworkingFilterDisabled,
      controlPlaneFailureTolerance: given(input.controlPlaneFailureTolerance),
      euAccess: input.euAccess,
      projectName: given(input.projectName),
      nodeCount: input.nodeCount,
    }),
  };
  return { config, problems };
}

/** Clients that cannot leave it out send empty texts instead: then there is none. */
export function parseOidc(input: OIDCConfigInput): OidcConfig | undefined {
  const { clientID, groupsClaim, issuerURL, signingAlgs, usernameClaim, usernamePrefix } = input;
  if (!given(clientID) && !given(issuerURL)) return undefined;
  return { clientID, groupsClaim, issuerURL, signingAlgs, usernameClaim, usernamePrefix };
}

function parseDns({ domain, providers }: DNSConfigInput): DnsConfig {
  return {
    domain,
    providers: withoutNulls(providers).map(({ domainsInclude, primary, secretName, type }) => ({
      domainsInclude,
      primary,
      secretName,
      type,
    })),
  };
}
