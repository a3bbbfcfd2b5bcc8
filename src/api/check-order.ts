import { Failure, type Problem } from '../domain/failures.ts';
import { newRuntimeId, type RuntimeId } from '../domain/ids.ts';
import type { KymaInstallation, KymaInstallerKind } from '../domain/kyma-config.ts';
import type { ClusterRecord, Runtime } from '../domain/runtime.ts';
import { generateClusterName } from './cluster-name.ts';
import type { Caller } from './context.ts';
import type { ApiDependencies } from './dependencies.ts';
import type {
  ClusterConfigInput,
  GardenerConfigInput,
  KymaConfigInput,
  ProvisionRuntimeInput,
  RuntimeInput,
} from './generated/schema.ts';
import { InvalidInput, refuse } from './invalid-input.ts';
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
  readonly runtimeInput: Pick<Runtime, 'name' | 'description' | 'labels'>;
  readonly cluster: ClusterRecord;
  /** The cluster's name was not the caller's choice, and another one will do. */
  readonly nameIsOurs: boolean;
  readonly kyma: KymaInstallation | undefined;
}

/** Collects every mistake before it refuses. `callersId`: the caller has registered the Runtime under this id. */
export async function checkOrder({
  dependencies,
  caller,
  callersId,
  config,
  mustAnswer = false,
}: {
  dependencies: ApiDependencies;
  caller: Caller;
  callersId: RuntimeId | undefined;
  config: ProvisionRuntimeInput;
  /** A provider that does not answer is a reason to refuse. */
  mustAnswer?: boolean;
}): Promise<Order> {
  refuse(unstorableText(config, 'config'));
  const input = gardenerInput(config.clusterConfig);
  const [{ cluster, problems }, kyma] = await Promise.all([
    checkCluster({ dependencies, caller, runtimeId: callersId ?? newRuntimeId(), input, mustAnswer }),
    checkKyma(dependencies, config.kymaConfig ?? undefined),
  ]);
  refuse([...ownProblems(config, callersId), ...problems, ...kyma.problems]);
  if (!cluster) throw new Error('a cluster without a configuration and without a problem');
  return {
    runtimeInput: presentation(config.runtimeInput, cluster.name),
    cluster,
    nameIsOurs: nameIsOurs(input),
    kyma: kyma.installation,
  };
}

/** Throws unless a cluster made through Gardener is asked for, and nothing beside it. */
function gardenerInput({ gardenerConfig, gcpConfig }: ClusterConfigInput): GardenerConfigInput {
  const path = 'config.clusterConfig';
  if (gardenerConfig && gcpConfig) refuse([{ path, message: 'give either gardenerConfig or gcpConfig, not both' }]);
  if (gardenerConfig) return gardenerConfig;
  if (gcpConfig) {
    const message = 'clusters made by Google Kubernetes Engine are not supported yet; use gardenerConfig';
    throw new Failure('NOT_SUPPORTED', message, { path: `${path}.gcpConfig` });
  }
  const message = 'error: Cluster config with Gardener config not provided; give gardenerConfig';
  throw new InvalidInput([{ path, message }]);
}

/** A Runtime of 2019 has no name but that of its cluster. */
function presentation(input: RuntimeInput | null | undefined, clusterName: string): Order['runtimeInput'] {
  if (!input) return { name: clusterName, description: undefined, labels: {} };
  return { name: input.name, description: input.description ?? undefined, labels: input.labels ?? {} };
}

async function checkCluster({
  dependencies: { drivers },
  caller,
  runtimeId,
  input,
  mustAnswer,
}: {
  dependencies: ApiDependencies;
  caller: Caller;
  runtimeId: RuntimeId;
  input: GardenerConfigInput;
  mustAnswer: boolean;
}): Promise<{ cluster: ClusterRecord | undefined; problems: readonly Problem[] }> {
  const { config, problems } = parseGardenerConfig(input, 'config.clusterConfig.gardenerConfig');
  if (!config) return { cluster: undefined, problems };
  if (problems.length > 0) {
    const more = await drivers.gardener.check(
      { runtimeId, ...caller, cluster: clusterRecord(config) },
      AbortSignal.timeout(checkTimeout),
    );
    // What the provider says (with a code) is about an order that nobody meant.
    const fresh = more.filter(({ path, code }) => code === undefined && !problems.some((known) => known.path === path));
    return { cluster: undefined, problems: [...problems, ...fresh] };
  }
  let cluster = clusterRecord(config);
  for (let attempt = 1; ; attempt++) {
    const signal = AbortSignal.timeout(checkTimeout);
    const found = await drivers[cluster.driver].check({ runtimeId, ...caller, cluster }, signal, { mustAnswer });
    const taken = found.some((problem) => problem.code === 'CLUSTER_NAME_TAKEN');
    if (!taken || !nameIsOurs(input) || attempt === nameAttempts) return { cluster, problems: found };
    cluster = renamed(cluster);
  }
}

/** No name, or an empty one: then we choose. */
function nameIsOurs({ name }: GardenerConfigInput): boolean {
  return !name?.trim();
}

function ownProblems(
  { runtimeInput, clusterConfig }: ProvisionRuntimeInput,
  callersId: RuntimeId | undefined,
): readonly Problem[] {
  const problems: Problem[] = [];
  if (!runtimeInput && callersId === undefined) {
    const message = 'is missing; only a Runtime that the caller has registered, and gives the id of, can do without';
    problems.push({ path: 'config.runtimeInput', message });
  }
  if (runtimeInput?.name.trim() === '')
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
