import type { CheckedChange } from '../clusters/cluster-driver.ts';
import { clusterOrder } from '../clusters/cluster-order.ts';
import { describeSleep, sleepAdvice } from '../clusters/describe-sleep.ts';
import { type ConfigurationChange, operationInProgress } from '../db/queries/accept-operation.ts';
import { findRuntime } from '../db/queries/find-runtime.ts';
import { Failure, type Problem } from '../domain/failures.ts';
import { parseRuntimeId } from '../domain/ids.ts';
import type { Operation } from '../domain/operation.ts';
import type { PlannedStep } from '../domain/plan.ts';
import type { Runtime, Target } from '../domain/runtime.ts';
import { acceptOnRuntime } from './accept-on-runtime.ts';
import type { RequestContext } from './context.ts';
import type { ApiDependencies } from './dependencies.ts';
import type { UpgradeShootInput } from './generated/schema.ts';
import { refuse } from './invalid-input.ts';
import { parseShootChange } from './parse-shoot-change.ts';
import { noOperationId } from './plan-provision.ts';
import { runtimeNotFound } from './runtime-status.ts';
import { unstorableText } from './unstorable-text.ts';
import type { OperationView } from './views.ts';

/** What a caller is kept waiting for at most, in milliseconds. */
const checkTimeout = 10_000;
const inputPath = 'config.gardenerConfig';

interface Request {
  readonly dependencies: ApiDependencies;
  readonly context: RequestContext;
  readonly id: string;
  readonly config: UpgradeShootInput;
}

interface CheckedRequest {
  readonly runtime: Runtime;
  readonly change: ConfigurationChange;
  /** What does not become as asked for, because the cluster has something newer. */
  readonly kept: readonly string[];
}

/** Checks all that is asked for and accepts the operation: once this answers, it will be carried out. */
export async function upgradeShoot(request: Request): Promise<OperationView> {
  const { dependencies, context } = request;
  const { runtime, change, kept: remarks } = await checkRequest(request, false);
  const { id: runtimeId, registration } = runtime;
  const operation = await acceptOnRuntime({
    ...{ dependencies, context, runtimeId, kind: 'UpgradeShoot', change, remarks },
  });
  return { operation, registration: async () => registration };
}

/** Refuses what `upgradeShoot` would refuse, and changes nothing. */
export async function planUpgradeShoot(request: Request): Promise<readonly PlannedStep[]> {
  return (await planned(request)).changes;
}

/** The plan, in the shape of an operation that does not exist. */
export async function dryRunOfUpgradeShoot(request: Request): Promise<OperationView> {
  const { runtime, kept, changes } = await planned(request);
  const now = new Date();
  return {
    plan: changes,
    registration: async () => runtime.registration,
    operation: {
      id: noOperationId,
      runtimeId: runtime.id,
      kind: 'UpgradeShoot',
      state: 'InProgress',
      stage: request.dependencies.flowOf('UpgradeShoot').steps[0]?.stage ?? '',
      ...{ attempt: 0, notes: {}, progress: undefined, lastError: undefined },
      message: ['Dry run: everything was checked, and nothing was stored or changed', ...kept].join('. '),
      ...{ startedAt: now, stageStartedAt: now, endedAt: undefined },
    },
  };
}

async function planned(request: Request): Promise<CheckedRequest & { readonly changes: readonly PlannedStep[] }> {
  const checked = await checkRequest(request, true);
  const changes = await request.dependencies.planFlow({
    kind: 'UpgradeShoot',
    runtime: checked.runtime,
    target: checked.change.after,
    signal: AbortSignal.timeout(checkTimeout),
  });
  return { ...checked, changes };
}

/** Collects every mistake before it refuses. */
async function checkRequest(
  { dependencies, context, id, config }: Request,
  mustAnswer: boolean,
): Promise<CheckedRequest> {
  refuse(unstorableText(config, 'config'));
  const runtimeId = parseRuntimeId(id);
  const found = await findRuntime({ database: dependencies.database, tenant: context.caller().tenant, runtimeId });
  if (!found || found.runtime.deletedAt) throw runtimeNotFound(runtimeId);
  const { runtime, lastOperation } = found;
  refuseUnready(runtime, lastOperation);
  const { gardenerConfig, administrators } = config;
  const { cluster } = runtime;
  if (cluster.driver !== 'gardener') {
    const message = `the cluster of Runtime ${runtimeId} was not made through Gardener; only upgradeRuntime can change it`;
    throw new Failure('NOT_SUPPORTED', message);
  }
  const { target, fields, problems } = parseShootChange(cluster.config, gardenerConfig, inputPath);
  const order = { ...clusterOrder(runtime), cluster };
  const checked = await dependencies.drivers.gardener.checkChange(
    { order, target, fields },
    AbortSignal.timeout(checkTimeout),
    { mustAnswer },
  );
  refuse([...problems, ...freshProblems(checked, problems), ...emptyAdministrators(administrators)]);
  if (administrators) await refuseAsleep({ dependencies, runtime, context });

  // With nothing asked for, the cluster itself is what the operation waits for.
  const changesCluster = fields.length > 0 || !administrators;
  const parts = (whole: Target): Target => ({
    ...(changesCluster && { cluster: whole.cluster, clusterFields: fields }),
    ...(administrators && { administrators: whole.administrators }),
  });
  return {
    runtime,
    kept: checked.kept,
    change: {
      revision: runtime.configurationRevision,
      before: parts({ cluster: cluster.config, administrators: runtime.administrators }),
      after: parts({ cluster: checked.target, administrators: [...new Set(administrators)] }),
    },
  };
}

/** What the provider says (with a code) is about an order that nobody meant when there are mistakes in the input. */
function freshProblems({ problems }: Pick<CheckedChange, 'problems'>, known: readonly Problem[]): readonly Problem[] {
  return problems
    .map((problem) => ({ ...problem, path: problem.path === '' ? inputPath : `${inputPath}.${problem.path}` }))
    .filter(({ path, code }) => known.length === 0 || (!code && !known.some((one) => one.path === path)));
}

function emptyAdministrators(administrators: UpgradeShootInput['administrators']): readonly Problem[] {
  return (administrators ?? []).flatMap((user, index) =>
    user.trim() === '' ? [{ path: `config.administrators.${index}`, message: 'must not be empty' }] : [],
  );
}

/** A Runtime that is only half there would stay so: its provisioning could not be taken up after another operation. */
function refuseUnready(runtime: Runtime, { id, kind, state }: Operation): void {
  if (state === 'InProgress') throw operationInProgress(runtime.id, { id, kind });
  const refusal = (reason: string) =>
    new Failure('RUNTIME_NOT_READY', `cannot change the cluster of Runtime ${runtime.id}: ${reason}`);
  if (kind === 'Provision' && state === 'Failed') {
    throw refusal(`its provisioning ${id} failed; retry that operation first`);
  }
  if (kind === 'Deprovision') {
    throw refusal(`its deprovisioning ${id} failed, and part of it is gone; deprovision it again`);
  }
}

/** Administrators are told to the cluster itself, which has to be awake for that. */
async function refuseAsleep({
  dependencies: { drivers },
  runtime,
  context,
}: Pick<Request, 'dependencies' | 'context'> & { runtime: Runtime }): Promise<void> {
  const { driver, name } = runtime.cluster;
  const signal = AbortSignal.timeout(checkTimeout);
  const seen = await drivers[driver].observe(clusterOrder(runtime), signal).catch((error: unknown) => {
    if (error instanceof Failure) throw error;
    context.log.warn(
      { err: error, runtimeId: runtime.id },
      'administrators are accepted without a look at the cluster',
    );
    return undefined;
  });
  const sleep = seen?.hibernation && describeSleep(seen.hibernation);
  if (!seen?.hibernation || sleep === undefined) return;
  const message = `cannot change the administrators of cluster ${name}, which ${sleep}; ${sleepAdvice(seen.hibernation)}`;
  throw new Failure('HIBERNATED', message);
}
