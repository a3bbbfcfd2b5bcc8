import { runtimeStatusReads } from '../db/queries/read-runtime-status.ts';
import { cleanupRuntimeData } from './cleanup-runtime-data.ts';
import type { ConnectionObservations } from './connection-observations.ts';
import type { RequestContext } from './context.ts';
import { createControlResolvers, presentCancellation } from './control-resolvers.ts';
import type { ApiDependencies } from './dependencies.ts';
import { deprovisionRuntime } from './deprovision-runtime.ts';
import type { Resolvers } from './generated/schema.ts';
import { createListingResolvers } from './listing-resolvers.ts';
import { refuseNotBuiltYet } from './not-built-yet.ts';
import { operationStatus } from './operation-status.ts';
import { planDeprovision } from './plan-deprovision.ts';
import { dryRunOfProvision, noOperationId, planProvision } from './plan-provision.ts';
import { presentClusterConfig } from './presenters/present-cluster-config.ts';
import { presentKymaConfig } from './presenters/present-kyma-config.ts';
import { presentLastError } from './presenters/present-last-error.ts';
import { provisionRuntime } from './provision-runtime.ts';
import type { RequestLimits } from './request-limits.ts';
import { runtimeConnectionStatus, runtimeStatus } from './runtime-status.ts';

/** Thin on purpose: what a mutation or a query does is in the file of its name. */
export function createResolvers({
  dependencies,
  limits,
  observations,
}: {
  dependencies: ApiDependencies;
  limits: RequestLimits;
  observations: ConnectionObservations;
}): Resolvers {
  const notBuiltYet =
    (mutation: Parameters<typeof refuseNotBuiltYet>[0]['mutation']) =>
    (_: unknown, { id }: { readonly id: string }, context: RequestContext) =>
      refuseNotBuiltYet({ dependencies, context, id, mutation });
  const reads = runtimeStatusReads(dependencies.database);
  const listing = createListingResolvers(dependencies, limits);
  return {
    ...listing,
    Query: {
      ...listing.Query,
      runtimeStatus: (_, { id }, context) => runtimeStatus({ dependencies, reads, context, id }),
      planProvision: async (_, { id, config }, context) => ({
        changes: (await planProvision({ dependencies, context, id, config })).changes,
      }),
      planDeprovision: async (_, { id, cancelRunning }, context) => ({
        changes: await planDeprovision({ dependencies, context, id, cancelRunning }),
      }),
      runtimeOperationStatus: (_, { id }, context) => operationStatus({ dependencies, context, id }),
    },
    Mutation: {
      provisionRuntime: async (_, { id, config, dryRun }, context) => {
        if (dryRun === true) return dryRunOfProvision({ dependencies, context, id, config });
        const accepted = await provisionRuntime({ dependencies, context, id: id ?? undefined, config });
        return { operation: accepted.operation, registration: async () => accepted.runtime.registration };
      },
      deprovisionRuntime: async (_, { id, cancelRunning, dryRun }, context) => {
        if (dryRun !== true) return deprovisionRuntime({ dependencies, context, id, cancelRunning });
        await planDeprovision({ dependencies, context, id, cancelRunning });
        return noOperationId;
      },
      ...createControlResolvers(dependencies),
      cleanupRuntimeData: (_, { id }, context) => cleanupRuntimeData({ dependencies, context, id }),
      upgradeRuntime: notBuiltYet('upgradeRuntime'),
      upgradeShoot: notBuiltYet('upgradeShoot'),
      rollBackUpgradeOperation: notBuiltYet('rollBackUpgradeOperation'),
      hibernateRuntime: notBuiltYet('hibernateRuntime'),
      wakeUpRuntime: notBuiltYet('wakeUpRuntime'),
      reconnectRuntimeAgent: notBuiltYet('reconnectRuntimeAgent'),
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
      startedAt: ({ operation }) => operation.startedAt,
      stageStartedAt: ({ operation }) => operation.stageStartedAt,
      finishedAt: ({ operation }) => operation.endedAt,
      cancellation: ({ operation }) => presentCancellation(operation.cancellation),
      retryOf: ({ operation }) => operation.retryOf,
      plan: ({ plan }) => plan && { changes: plan },
    },
    RuntimeStatus: {
      lastOperationStatus: ({ runtime, lastOperation }) => ({
        operation: lastOperation,
        registration: async () => runtime.registration,
      }),
      runtimeConnectionStatus: (view) => runtimeConnectionStatus({ observations, view }),
      runtimeConnectionConfig: (view) => view,
      runtimeConfiguration: (view) => view,
    },
    RuntimeConnectionConfig: { kubeconfig: (view) => view.kubeconfig() },
    RuntimeConfig: {
      clusterConfig: ({ runtime }) => presentClusterConfig(runtime.cluster),
      administrators: ({ runtime }) => runtime.administrators,
      kymaConfig: ({ runtime }) => runtime.kymaConfig && presentKymaConfig(runtime.kymaConfig),
      kubeconfig: (view) => view.kubeconfig(),
    },
  };
}
