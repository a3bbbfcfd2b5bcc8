import { queuePosition } from '../db/queries/queue-position.ts';
import { runtimeStatusReads } from '../db/queries/read-runtime-status.ts';
import { cleanupRuntimeData } from './cleanup-runtime-data.ts';
import { clusterStatus } from './cluster-status.ts';
import { configurationChange } from './configuration-change.ts';
import type { ConnectionObservations } from './connection-observations.ts';
import { createControlResolvers, presentCancellation } from './control-resolvers.ts';
import type { ApiDependencies } from './dependencies.ts';
import { deprovisionRuntime } from './deprovision-runtime.ts';
import type { Resolvers } from './generated/schema.ts';
import { hibernateRuntime, wakeUpRuntime } from './hibernate-runtime.ts';
import { hibernationStatus, sleepReason } from './hibernation-status.ts';
import type { Kubeconfigs } from './kubeconfigs.ts';
import { createListingResolvers } from './listing-resolvers.ts';
import { operationStatus } from './operation-status.ts';
import { createOrphanResolvers } from './orphan-resolvers.ts';
import { planDeprovision } from './plan-deprovision.ts';
import { dryRunOfProvision, noOperationId, planProvision } from './plan-provision.ts';
import { presentClusterConfig } from './presenters/present-cluster-config.ts';
import { presentIssuedKubeconfig, presentKubeconfig } from './presenters/present-kubeconfig.ts';
import { presentKymaConfig } from './presenters/present-kyma-config.ts';
import { presentLastError } from './presenters/present-last-error.ts';
import { provisionRuntime } from './provision-runtime.ts';
import { reconnectRuntimeAgent } from './reconnect-runtime-agent.ts';
import type { RequestLimits } from './request-limits.ts';
import { rollBackUpgradeOperation } from './roll-back-upgrade.ts';
import { runtimeConnectionStatus, runtimeStatus } from './runtime-status.ts';
import { upgradeRuntime } from './upgrade-runtime.ts';
import { dryRunOfUpgradeShoot, planUpgradeShoot, upgradeShoot } from './upgrade-shoot.ts';

/** Thin on purpose: what a mutation or a query does is in the file of its name. */
export function createResolvers({
  dependencies,
  limits,
  observations,
  kubeconfigs,
}: {
  dependencies: ApiDependencies;
  limits: RequestLimits;
  observations: ConnectionObservations;
  kubeconfigs: Kubeconfigs;
}): Resolvers {
  const reads = runtimeStatusReads(dependencies.database);
  const listing = createListingResolvers(dependencies, limits);
  const orphans = createOrphanResolvers(dependencies, limits);
  return {
    ...listing,
    ...orphans,
    Query: {
      ...listing.Query,
      ...orphans.Query,
      runtimeStatus: (_, { id }, context) => runtimeStatus({ kubeconfigs, reads, context, id }),
      planProvision: async (_, { id, config }, context) => ({
        changes: (await planProvision({ dependencies, context, id, config })).changes,
      }),
      planDeprovision: async (_, { id, cancelRunning }, context) => ({
        changes: await planDeprovision({ dependencies, context, id, cancelRunning }),
      }),
      planUpgradeShoot: async (_, { id, config }, context) => ({
        changes: await planUpgradeShoot({ dependencies, context, id, config }),
      }),
      runtimeOperationStatus: (_, { id }, context) => operationStatus({ dependencies, context, id }),
    },
    Mutation: {
      provisionRuntime: async (_, { id, config, dryRun }, context) => {
        if (dryRun === true) return dryRunOfProvision({ dependencies, context, id, config });
        const accepted = await provisionRuntime({ dependencies, context, id, config });
        return { operation: accepted.operation, registration: async () => accepted.runtime.registration };
      },
      deprovisionRuntime: async (_, { id, cancelRunning, dryRun }, context) => {
        if (dryRun !== true) return deprovisionRuntime({ dependencies, context, id, cancelRunning });
        await planDeprovision({ dependencies, context, id, cancelRunning });
        return noOperationId;
      },
      ...createControlResolvers(dependencies),
      ...orphans.Mutation,
      cleanupRuntimeData: (_, { id }, context) => cleanupRuntimeData({ dependencies, context, id }),
      upgradeRuntime: (_, { id, config }, context) => upgradeRuntime({ dependencies, context, id, config }),
      upgradeShoot: (_, { id, config, dryRun }, context) =>
        (dryRun === true ? dryRunOfUpgradeShoot : upgradeShoot)({ dependencies, context, id, config }),
      rollBackUpgradeOperation: async (_, { id }, context) => {
        const runtimeId = await rollBackUpgradeOperation({ dependencies, context, id });
        return runtimeStatus({ kubeconfigs, reads, context, id: runtimeId });
      },
      hibernateRuntime: (_, { id }, context) => hibernateRuntime({ dependencies, context, id }),
      wakeUpRuntime: (_, { id }, context) => wakeUpRuntime({ dependencies, context, id }),
      reconnectRuntimeAgent: (_, { id }, context) => reconnectRuntimeAgent({ dependencies, context, id }),
    },
    OperationStatus: {
      id: ({ operation }) => operation.id,
      operation: ({ operation }) => operation.kind,
      state: ({ operation, plan }) => (plan === undefined ? operation.state : 'Pending'),
      message: ({ operation }) => operation.message,
      runtimeID: ({ operation, plan }) => (plan === undefined ? operation.runtimeId : null),
      compassRuntimeID: async (view) => ((await view.registration()) === 'none' ? null : view.operation.runtimeId),
      errors: ({ operation: { lastError } }) => (lastError ? [{ message: lastError.message }] : []),
      lastError: ({ operation }) => presentLastError(operation.lastError),
      stage: ({ operation }) => operation.stage,
      progress: ({ operation }) => operation.progress,
      queuePosition: ({ operation, plan }) =>
        plan === undefined && operation.state === 'InProgress'
          ? queuePosition({ database: dependencies.database, operationId: operation.id })
          : undefined,
      startedAt: ({ operation }) => operation.startedAt,
      stageStartedAt: ({ operation }) => operation.stageStartedAt,
      finishedAt: ({ operation }) => operation.endedAt,
      cancellation: ({ operation }) => presentCancellation(operation.cancellation),
      retryOf: ({ operation }) => operation.retryOf,
      configurationChange: (view, _, context) => configurationChange({ dependencies, context, view }),
      plan: ({ plan }) => plan && { changes: plan },
    },
    RuntimeStatus: {
      lastOperationStatus: ({ runtime, lastOperation }) => ({
        operation: lastOperation,
        registration: async () => runtime.registration,
      }),
      runtimeConnectionStatus: (view) =>
        runtimeConnectionStatus({ observations, sleepReason: sleepReason({ ...dependencies, ...view }), view }),
      hibernationStatus: (view) => hibernationStatus({ ...dependencies, ...view }),
      clusterStatus: (status) => clusterStatus({ watches: dependencies.watches, status }),
      runtimeConnectionConfig: (view) => view,
      runtimeConfiguration: (view) => view,
    },
    RuntimeConnectionConfig: { kubeconfig: presentKubeconfig },
    RuntimeConfig: {
      clusterConfig: ({ runtime }) => presentClusterConfig(runtime.cluster),
      administrators: ({ runtime }) => runtime.administrators,
      credentialsSecretName: ({ runtime: { cluster } }) =>
        cluster.driver === 'gke' ? cluster.config.credentialsSecretName : null,
      kymaConfig: ({ runtime }) => runtime.kymaConfig && presentKymaConfig(runtime.kymaConfig),
      kubeconfig: presentKubeconfig,
      issuedKubeconfig: presentIssuedKubeconfig,
    },
  };
}
