import { clusterOrder } from '../clusters/cluster-order.ts';
import type { ConfigurationChange } from '../db/queries/accept-operation.ts';
import { findUnadoptedKyma } from '../db/queries/configuration-changes.ts';
import { findRuntime } from '../db/queries/find-runtime.ts';
import type { Problem } from '../domain/failures.ts';
import { parseRuntimeId } from '../domain/ids.ts';
import type { KymaInstallation } from '../domain/kyma-config.ts';
import type { Runtime, Target } from '../domain/runtime.ts';
import { acceptOnRuntime } from './accept-on-runtime.ts';
import { missingAgent } from './agent-component.ts';
import { checkUpgradable } from './check-upgradable.ts';
import type { RequestContext } from './context.ts';
import type { ApiDependencies } from './dependencies.ts';
import type { KymaConfigInput, UpgradeClusterInput, UpgradeRuntimeInput } from './generated/schema.ts';
import { given, onlyGiven } from './given.ts';
import { refuse } from './invalid-input.ts';
import { parseKymaConfig } from './parse-kyma-config.ts';
import { runtimeNotFound } from './runtime-status.ts';
import { unstorableText } from './unstorable-text.ts';
import type { OperationView } from './views.ts';

/** What a caller is kept waiting for at most, in milliseconds. */
const checkTimeout = 10_000;

interface Request {
  readonly dependencies: ApiDependencies;
  readonly context: RequestContext;
}

/** A part of a Runtime that is to change, or what is wrong with it; neither when it is not asked for. */
interface Asked<Part> {
  readonly before?: Part;
  readonly after?: Part;
  readonly problems: readonly Problem[];
}

/** Checks all that is asked for and accepts the operation: once this answers, it will be carried out. */
export async function upgradeRuntime({
  id,
  config,
  ...request
}: Request & { id: string; config: UpgradeRuntimeInput }): Promise<OperationView> {
  const { dependencies, context } = request;
  refuse([...unstorableText(config, 'config'), ...nothingAsked(config)]);
  const runtimeId = parseRuntimeId(id);
  const found = await findRuntime({ database: dependencies.database, tenant: context.caller().tenant, runtimeId });
  if (!found || found.runtime.deletedAt) throw runtimeNotFound(runtimeId);
  const { runtime } = found;
  await checkUpgradable({ dependencies, context, ...found });
  const change = await changeOf({ dependencies, runtime, config });
  const operation = await acceptOnRuntime({ ...request, runtimeId, kind: 'Upgrade', change });
  return { operation, registration: async () => runtime.registration };
}

async function changeOf({
  dependencies,
  runtime,
  config,
}: {
  dependencies: ApiDependencies;
  runtime: Runtime;
  config: UpgradeRuntimeInput;
}): Promise<ConfigurationChange> {
  const [kyma, cluster] = await Promise.all([
    askedKyma(dependencies, runtime, config.kymaConfig ?? undefined),
    askedCluster(dependencies, runtime, config.clusterConfig ?? undefined),
  ]);
  refuse([...kyma.problems, ...cluster.problems]);
  return {
    revision: runtime.configurationRevision,
    before: { ...cluster.before, ...(kyma.before && { kyma: kyma.before }) },
    after: { ...cluster.after, ...(kyma.after && { kyma: kyma.after }) },
  };
}

function nothingAsked({ kymaConfig, clusterConfig }: UpgradeRuntimeInput): readonly Problem[] {
  if (kymaConfig || clusterConfig) return [];
  const message = 'error: Kyma config not provided; give kymaConfig, clusterConfig with a kubernetesVersion, or both';
  return [{ path: 'config', message }];
}

async function askedKyma(
  { catalogue, registrar, database }: ApiDependencies,
  runtime: Runtime,
  input: KymaConfigInput | undefined,
): Promise<Asked<KymaInstallation>> {
  const path = 'config.kymaConfig';
  if (input === undefined) return { problems: [] };
  const notSupported = (message: string) => ({ problems: [{ path, message, code: 'NOT_SUPPORTED' as const }] });
  const active = runtime.kyma;
  if (!active) {
    return notSupported(`Runtime ${runtime.id} has no Kyma to upgrade; provision a Runtime with Kyma instead`);
  }
  if (!catalogue) {
    const missing = 'this service has no catalogue of Kyma releases (APP_KYMA_CATALOGUE_PATH)';
    return notSupported(`${missing}; Kyma stays at ${active.config.version}`);
  }
  const attempted = await findUnadoptedKyma({ database, runtimeId: runtime.id });
  const resolved = await catalogue.resolveUpgrade({ config: parseKymaConfig(input), path, active, attempted });
  if ('problems' in resolved) return resolved;
  const problems = registrar ? missingAgent(resolved.installation, path) : [];
  return { before: active, after: resolved.installation, problems };
}

async function askedCluster(
  { drivers }: ApiDependencies,
  runtime: Runtime,
  input: UpgradeClusterInput | undefined,
): Promise<Asked<Pick<Target, 'cluster' | 'clusterFields'>>> {
  const path = 'config.clusterConfig';
  if (input === undefined) return { problems: [] };
  const { config, driver } = runtime.cluster;
  const [current, of2019] = [given(input.kubernetesVersion), given(input.version)];
  const asked = onlyGiven({ kubernetesVersion: current ?? of2019, numberOfNodes: input.numberOfNodes });
  const fields = Object.keys(asked);
  if (fields.length === 0) {
    return { problems: [{ path: `${path}.kubernetesVersion`, message: 'is missing: give the version to upgrade to' }] };
  }
  if (asked.numberOfNodes !== undefined && driver !== 'gke') {
    const message =
      'is only for a cluster straight from GKE; upgradeShoot gives this one another autoScalerMin and autoScalerMax';
    return { problems: [{ path: `${path}.numberOfNodes`, message, code: 'NOT_SUPPORTED' }] };
  }
  if (current !== undefined && of2019 !== undefined && current !== of2019) {
    const message = `is ${of2019}, and kubernetesVersion is ${current}; give one of them`;
    return { problems: [{ path: `${path}.version`, message }] };
  }
  const field = current === undefined ? 'version' : 'kubernetesVersion';
  const order = clusterOrder(runtime);
  const change = { order, target: { ...config, ...asked }, fields };
  const checked = await drivers[driver].checkChange(change, AbortSignal.timeout(checkTimeout));
  const problems = checked.problems.map((problem) => ({
    ...problem,
    path: problem.path === 'kubernetesVersion' ? `${path}.${field}` : [path, problem.path].filter(Boolean).join('.'),
  }));
  return { before: { cluster: config }, after: { cluster: checked.target, clusterFields: fields }, problems };
}
