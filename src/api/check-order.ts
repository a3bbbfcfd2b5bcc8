import type { Problem } from '../domain/failures.ts';
import { newRuntimeId, type RuntimeId } from '../domain/ids.ts';
import type { KymaInstallation } from '../domain/kyma-config.ts';
import type { ClusterRecord, Runtime } from '../domain/runtime.ts';
import { missingAgent } from './agent-component.ts';
import type { Caller } from './context.ts';
import type { ApiDependencies } from './dependencies.ts';
import type { KymaConfigInput, ProvisionRuntimeInput, RuntimeInput } from './generated/schema.ts';
import { refuse } from './invalid-input.ts';
import { type ParsedCluster, parseCluster, renamed } from './parse-cluster.ts';
import { parseKymaConfig } from './parse-kyma-config.ts';
import { readRuntimeId } from './read-runtime-id.ts';
import { unstorableText } from './unstorable-text.ts';

/** What a caller is kept waiting for at most, in milliseconds. */
const checkTimeout = 10_000;

/** A name that we chose and that turns out to be taken is chosen anew this many times. */
export const nameAttempts = 3;

/** What is asked for, found to be right. */
export interface Order {
  /** Under which the caller has registered the Runtime; undefined when that is left to us. */
  readonly callersId: RuntimeId | undefined;
  readonly runtimeInput: Pick<Runtime, 'name' | 'description' | 'labels'>;
  readonly cluster: ClusterRecord;
  /** The cluster's name was not the caller's choice, and another one will do. */
  readonly nameIsOurs: boolean;
  readonly kyma: KymaInstallation | undefined;
}

/** Collects every mistake before it refuses. `id`: the caller has registered the Runtime under this one. */
export async function checkOrder({
  dependencies,
  caller,
  id,
  config,
  mustAnswer = false,
}: {
  dependencies: ApiDependencies;
  caller: Caller;
  id: string | null | undefined;
  config: ProvisionRuntimeInput;
  /** A provider that does not answer is a reason to refuse. */
  mustAnswer?: boolean;
}): Promise<Order> {
  refuse(unstorableText(config, 'config'));
  const { id: callersId, problems: ofId } = id == null ? { problems: [] } : readRuntimeId(id, 'id');
  const parsed = parseCluster(config);
  const [{ cluster, problems }, kyma] = await Promise.all([
    checkCluster({ dependencies, caller, runtimeId: callersId ?? newRuntimeId(), parsed, mustAnswer }),
    checkKyma(dependencies, config.kymaConfig ?? undefined),
  ]);
  refuse([...ofId, ...ownProblems(config, { hasId: id != null }), ...problems, ...kyma.problems]);
  if (!cluster) throw new Error('a cluster without a configuration and without a problem');
  return {
    callersId,
    runtimeInput: presentation(config.runtimeInput, cluster.name),
    cluster,
    nameIsOurs: parsed.nameIsOurs,
    kyma: kyma.installation,
  };
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
  parsed: { cluster: asked, problems, nameIsOurs },
  mustAnswer,
}: {
  dependencies: ApiDependencies;
  caller: Caller;
  runtimeId: RuntimeId;
  parsed: ParsedCluster;
  mustAnswer: boolean;
}): Promise<{ cluster: ClusterRecord | undefined; problems: readonly Problem[] }> {
  if (!asked) return { cluster: undefined, problems };
  const driver = drivers[asked.driver];
  if (problems.length > 0) {
    const order = { runtimeId, ...caller, cluster: asked };
    const more = await driver.check(order, AbortSignal.timeout(checkTimeout));
    // What the provider says (with a code) is about an order that nobody meant.
    const fresh = more.filter(({ path, code }) => code === undefined && !problems.some((known) => known.path === path));
    return { cluster: undefined, problems: [...problems, ...fresh] };
  }
  let cluster = await driver.complete({ runtimeId, ...caller, cluster: asked });
  for (let attempt = 1; ; attempt++) {
    const signal = AbortSignal.timeout(checkTimeout);
    const found = await driver.check({ runtimeId, ...caller, cluster }, signal, { mustAnswer });
    const taken = found.some((problem) => problem.code === 'CLUSTER_NAME_TAKEN');
    if (!taken || !nameIsOurs || attempt === nameAttempts) return { cluster, problems: found };
    cluster = renamed(cluster);
  }
}

function ownProblems(
  { runtimeInput, clusterConfig }: ProvisionRuntimeInput,
  { hasId }: { hasId: boolean },
): readonly Problem[] {
  const problems: Problem[] = [];
  if (!runtimeInput && !hasId) {
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
  const problems = registrar ? missingAgent(installation, path) : [];
  return problems.length > 0 ? { problems } : { installation, problems };
}
