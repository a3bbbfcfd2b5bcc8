import { acceptProvision } from '../db/queries/accept-provision.ts';
import type { Problem } from '../domain/failures.ts';
import { Failure } from '../domain/failures.ts';
import { newOperationId, newRuntimeId, parseRuntimeId, type RuntimeId } from '../domain/ids.ts';
import type { KymaInstallation, KymaInstallerKind } from '../domain/kyma-config.ts';
import type { Operation } from '../domain/operation.ts';
import type { ClusterRecord, Runtime } from '../domain/runtime.ts';
import { generateClusterName } from './cluster-name.ts';
import type { Caller, RequestContext } from './context.ts';
import type { ApiDependencies, Registration } from './dependencies.ts';
import type { KymaConfigInput, ProvisionRuntimeInput } from './generated/schema.ts';
import { refuse } from './invalid-input.ts';
import { parseGardenerConfig } from './parse-gardener-config.ts';
import { parseKymaConfig } from './parse-kyma-config.ts';

/** What a caller is kept waiting for at most, in milliseconds, below the 30 s after which old clients hang up. */
const checkTimeout = 10_000;
const registrationTimeout = 20_000;
const withdrawalTimeout = 10_000;

/** A name that we chose and that turns out to be taken is chosen anew this many times. */
const nameAttempts = 3;

/** The module that brings the Runtime Agent, by what installs it. */
const agentComponent: Readonly<Record<KymaInstallerKind, string>> = { modules: 'application-connector' };

interface Order {
  readonly cluster: ClusterRecord;
  readonly kyma: KymaInstallation | undefined;
}

export interface AcceptedProvision {
  readonly runtime: Runtime;
  readonly operation: Operation;
}

/** Checks the input, has the Runtime registered, and accepts the operation: once this answers, it will be carried out. */
export async function provisionRuntime({
  dependencies,
  context,
  id,
  config,
}: {
  dependencies: ApiDependencies;
  context: RequestContext;
  id: string | undefined;
  config: ProvisionRuntimeInput;
}): Promise<AcceptedProvision> {
  const caller = context.caller();
  const callersId = id === undefined ? undefined : parseRuntimeId(id);
  const order = await check({ dependencies, caller, runtimeId: callersId ?? newRuntimeId(), config });

  const { registrar } = dependencies;
  const { name, description, labels } = config.runtimeInput;
  const runtimeInput = { name, description: description ?? undefined, labels: labels ?? {} };
  const registration = await answeredInTime(async (signal) => {
    if (callersId === undefined) return registrar?.register({ ...caller, runtimeInput, signal });
    await registrar?.verify({ id: callersId, tenant: caller.tenant, signal });
    return undefined;
  });

  const runtime: Runtime = {
    id: callersId ?? registration?.id ?? newRuntimeId(),
    ...caller,
    ...runtimeInput,
    registration: registration ? 'ours' : registrar ? 'callers' : 'none',
    cluster: order.cluster,
    kyma: order.kyma,
    administrators: [...new Set(config.clusterConfig.administrators ?? [])],
    createdAt: new Date(),
    deletedAt: undefined,
  };
  const nameIsOurs = !config.clusterConfig.gardenerConfig.name;
  try {
    return await accept({ dependencies, runtime, registration, nameIsOurs });
  } catch (error) {
    if (registration && wasNotStored(error)) await withdraw({ dependencies, context, registration });
    throw error;
  }
}

/** Collects every mistake before it refuses. */
async function check({
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
  const own = ownProblems(config);
  const { gardenerConfig } = config.clusterConfig;
  const parsed = parseGardenerConfig(gardenerConfig, 'config.clusterConfig.gardenerConfig');
  const kymaCheck = checkKyma(dependencies, config.kymaConfig ?? undefined);

  let cluster = parsed.config && clusterRecord(parsed.config);
  let clusterProblems = parsed.problems;
  for (let attempt = 1; cluster && attempt <= nameAttempts; attempt++) {
    const signal = AbortSignal.timeout(checkTimeout);
    const driver = dependencies.drivers[cluster.driver];
    clusterProblems = await driver.check({ runtimeId, ...caller, cluster }, signal);
    const taken = clusterProblems.some((problem) => problem.code === 'CLUSTER_NAME_TAKEN');
    if (!taken || gardenerConfig.name) break;
    cluster = renamed(cluster);
  }
  const kyma = await kymaCheck;
  refuse([...own, ...clusterProblems, ...kyma.problems]);
  if (!cluster) throw new Error('a cluster without a configuration and without a problem');
  return { cluster, kyma: kyma.installation };
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

/** The caller waits for the Director, but not for ever. */
async function answeredInTime<Answer>(ask: (signal: AbortSignal) => Promise<Answer>): Promise<Answer> {
  const signal = AbortSignal.timeout(registrationTimeout);
  try {
    return await ask(signal);
  } catch (error) {
    if (error instanceof Failure || !signal.aborted) throw error;
    const message = `the Director did not answer within ${registrationTimeout / 1000} s; nothing was started, try again later`;
    throw new Failure('DIRECTOR_UNAVAILABLE', message, { cause: error });
  }
}

function clusterRecord(config: ClusterRecord['config']): ClusterRecord {
  return { driver: 'gardener', name: config.name, config, domain: undefined, seed: undefined };
}

function renamed(cluster: ClusterRecord): ClusterRecord {
  return clusterRecord({ ...cluster.config, name: generateClusterName() });
}

async function accept({
  dependencies: { database, flows },
  runtime,
  registration,
  nameIsOurs,
}: {
  dependencies: ApiDependencies;
  runtime: Runtime;
  registration: Registration | undefined;
  nameIsOurs: boolean;
}): Promise<AcceptedProvision> {
  const operationId = newOperationId();
  const { startMessage, steps } = flows.provision;
  const firstStage = steps[0]?.stage ?? '';
  let accepted = runtime;
  for (let attempt = 1; ; attempt++) {
    try {
      const operation = await acceptProvision({
        database,
        runtime: accepted,
        operationId,
        startMessage,
        firstStage,
        ...(registration && { registrationIntent: registration.intentId }),
      });
      return { runtime: accepted, operation };
    } catch (error) {
      const taken = error instanceof Failure && error.code === 'CLUSTER_NAME_TAKEN';
      if (!taken || !nameIsOurs || attempt === nameAttempts) throw error;
      accepted = { ...accepted, cluster: renamed(accepted.cluster) };
    }
  }
}

/** When it cannot be known whether the Runtime was stored, its registration is left to the sweeper, which finds out. */
function wasNotStored(error: unknown): boolean {
  return !(error instanceof Failure && error.code === 'DATABASE_UNAVAILABLE');
}

async function withdraw({
  dependencies: { registrar },
  context,
  registration,
}: {
  dependencies: ApiDependencies;
  context: RequestContext;
  registration: Registration;
}): Promise<void> {
  try {
    const signal = AbortSignal.timeout(withdrawalTimeout);
    await registrar?.withdraw(registration, { tenant: context.caller().tenant, signal });
  } catch (error) {
    context.log.warn({ err: error, runtimeId: registration.id }, 'registration is left to the sweeper');
  }
}
