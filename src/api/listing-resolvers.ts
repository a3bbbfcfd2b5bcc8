import type { ApiDependencies } from './dependencies.ts';
import type { Resolvers } from './generated/schema.ts';
import { operationsPage } from './list-operations.ts';
import { runtimesPage } from './list-runtimes.ts';
import { operationEventsPage } from './operation-events.ts';
import { presentClusterConfig } from './presenters/present-cluster-config.ts';
import { presentKymaConfig } from './presenters/present-kyma-config.ts';
import type { RequestLimits } from './request-limits.ts';

/** Resolvers of schema/listing.graphql. */
export function createListingResolvers(dependencies: ApiDependencies, { pageSize: largestPage }: RequestLimits) {
  return {
    Query: {
      runtimes: (_, request, context) => runtimesPage({ dependencies, context, request, largestPage }),
      operations: (_, request, context) => operationsPage({ dependencies, context, request, largestPage }),
      operationEvents: (_, request, context) => operationEventsPage({ dependencies, context, request, largestPage }),
    },
    Runtime: {
      id: ({ runtime }) => runtime.id,
      name: ({ runtime }) => runtime.name,
      description: ({ runtime }) => runtime.description,
      labels: ({ runtime }) => runtime.labels,
      provider: ({ runtime }) => runtime.cluster.config.provider,
      region: ({ runtime }) => runtime.cluster.config.region,
      kubernetesVersion: ({ runtime }) => runtime.cluster.config.kubernetesVersion,
      kymaVersion: ({ runtime }) => runtime.kymaConfig?.version,
      createdAt: ({ runtime }) => runtime.createdAt,
      deletedAt: ({ runtime }) => runtime.deletedAt,
      lostAt: ({ runtime }) => runtime.lostAt,
      lastOperationStatus: ({ runtime, lastOperation }) => ({
        operation: lastOperation,
        registration: async () => runtime.registration,
      }),
      clusterConfig: ({ runtime }) => presentClusterConfig(runtime.cluster),
      kymaConfig: ({ runtime }) => runtime.kymaConfig && presentKymaConfig(runtime.kymaConfig),
    },
  } satisfies Resolvers;
}
