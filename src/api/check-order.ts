import type { Problem } from '../domain/failures.ts';
import type { RuntimeId } from '../domain/ids.ts';
import type { KymaInstallation, KymaInstallerKind } from '../domain/kyma-config.ts';
import type { ClusterRecord } from '../domain/runtime.ts';
import { generateClusterName } from './cluster-name.ts';
import type { Caller } from './context.ts';
import type { ApiDependencies } from './dependencies.ts';
import type { GardenerConfigInput, KymaConfigInput, ProvisionRuntimeInput } from './generated/schema.ts';
import { refuse } from './invalid-input.ts';
import { parseGardenerConfig } from './parse-gardener-config.ts';
import { parseKymaConfig } from './parse-kyma-config.ts';
import { unstorableText } from './unstorable-text.ts';

/** What a caller is kept waiting for at most, in milliseconds. */
const checkTimeout = 10_000;

/** A name that we chose and that turns out to be taken is chosen anew this many times. */
export const nameAttempts = 3;

/** The module that brings the Runtime Agent, by what installs it. */
const agentComponent: Readonly<Record<KymaInstallerKind, string>> = { modules: 'application-connector' };

/** What is asked for, found to be right. */
export interface Order {
  readonly cluster: ClusterRecord;
  readonly kyma: KymaInstallation | undefined;
}

/** Collects every mistake before it refuses. */
export async function checkOrder({
  dependencies,
  caller,
  runtimeId,
  config,
}: {
  dependencies: ApiDependencies;
  caller: Caller;
  runtimeId: RuntimeId;
  config: ProvisionRuntimeInput;
}): Promise<Order> {
  refuse(unstorableText(config, 'config'));
  const [{ cluster, problems }, kyma] = await Promise.all([
    checkCluster({ dependencies, caller, runtimeId, input: config.clusterConfig.gardenerConfig }),
    checkKyma(dependencies, config.kymaConfig ?? undefined),
  ]);
  refuse([...ownProblems(config), ...problems, ...kyma.problems]);
  if (!cluster) throw new Error('a cluster without a configuration and without a problem');
  return { cluster, kyma: kyma.installation };
}

async function checkCluster({
  dependencies: { drivers },
  caller,
  runtimeId,
  input,
}: {
  dependencies: ApiDependencies;
  caller: Caller;
  runtimeId: RuntimeId;
  input: GardenerConfigInput;
}): Promise<{ cluster: ClusterRecord | undefined; problems: readonly Problem[] }> {
  const { config, problems } = parseGardenerConfig(input, 'config.clusterConfig.gardenerConfig');
  if (!config) return { cluster: undefined, problems };
  let cluster = clusterRecord(config);
  for (let attempt = 1; ; attempt++) {
    const signal = AbortSignal.timeout(checkTimeout);
    const found = await drivers[cluster.driver].check({ runtimeId, ...caller, cluster }, signal);
    const taken = found.some((problem) => problem.code === 'CLUSTER_NAME_TAKEN');
    if (!taken || !nameIsOurs(input) || attempt === nameAttempts) return { cluster, problems: found };
    cluster = renamed(cluster);
  }
}

/** No name, or an empty one: then we choose. */
export function nameIsOurs({ name }: GardenerConfigInput): boolean {
  return !name?.trim();
}

function ownProblems({ runtimeInput, clusterConfig }: ProvisionRuntimeInput): readonly Problem[] {
  const problems: Problem[] = [];
  if (runtimeInput.name.trim() === '')
    problems.push({ path: 'config.runtimeInput.name', message: 'must not be empty' });
  for (const [index, administrator] of (clusterConfig.administrators ?? []).entries()) {
    if (administrator.trim() !== '') continue;
    problems.push({ path: `config.clusterConfig.administrators.${index}`, message: 'must not be empty' });
  }
  return problems;
}

async function checkKyma(
  { catalogue, registrar }: ApiDependencies,
  input: KymaConfigInput | undefined,
): Promise<{ installation?: KymaInstallation; problems: readonly Problem[] }> {
  const path = 'config.kymaConfig';
  if (!input) return { problems: [] };
  if (!catalogue) {
    const message = 'this service has no catalogue of Kyma releases (APP_KYMA_CATALOGUE_PATH); leave kymaConfig out';
    return { problems: [{ path, message, code: 'NOT_SUPPORTED' }] };
  }
  const resolved = await catalogue.resolve(parseKymaConfig(input), path);
  if ('problems' in resolved) return resolved;
  const { installation } = resolved;
  const agent = agentComponent[installation.installer];
  const { components } = installation.config;
  if (registrar && !components.some(({ component }) => component === agent)) {
    const message =
      'error: Kyma components list does not contain Compass Runtime Agent; ' +
      `add the module ${agent}, which brings it, so that the registered Runtime can connect`;
    return { problems: [{ path: `${path}.components`, message, code: 'KYMA_COMPONENT_INVALID' }] };
  }
  return { installation, problems: [] };
}

function clusterRecord(config: ClusterRecord['config']): ClusterRecord {
  return { driver: 'gardener', name: config.name, config, domain: undefined, seed: undefined };
}

/** The same cluster under another name. */
export function renamed(cluster: ClusterRecord): ClusterRecord {
  return clusterRecord({ ...cluster.config, name: generateClusterName() });
}
