import type { OrphanSource } from '../domain/orphan.ts';
import type { ApiDependencies } from './dependencies.ts';
import type { OrphanSource as OrphanSourceAnswer, Resolvers } from './generated/schema.ts';
import { orphansPage, planOrphanRemoval, removeOrphan } from './orphans.ts';
import type { RequestLimits } from './request-limits.ts';

const sources = {
  gardener: 'Gardener',
  gke: 'GKE',
  director: 'Director',
} as const satisfies Record<OrphanSource, OrphanSourceAnswer>;

/** Resolvers of schema/orphans.graphql. */
export function createOrphanResolvers(dependencies: ApiDependencies, { pageSize: largestPage }: RequestLimits) {
  return {
    Query: {
      orphans: (_, request, context) => orphansPage({ dependencies, context, request, largestPage }),
    },
    Mutation: {
      removeOrphan: (_, { id, dryRun }, context) =>
        (dryRun === true ? planOrphanRemoval : removeOrphan)({ dependencies, context, id }),
    },
    OrphanSearch: { where: ({ source }) => sources[source] },
    Orphan: {
      id: ({ orphan }) => orphan.id,
      where: ({ orphan }) => sources[orphan.source],
      name: ({ orphan }) => orphan.name,
      place: ({ orphan }) => orphan.place || undefined,
      runtimeID: ({ orphan }) => orphan.runtimeId,
      reason: ({ orphan }) => orphan.reason,
      state: ({ orphan: { goneAt, removalRequestedAt } }) =>
        goneAt ? 'Gone' : removalRequestedAt ? 'Removing' : 'Found',
      createdAt: ({ orphan }) => orphan.createdAt,
      foundAt: ({ orphan }) => orphan.foundAt,
      problem: ({ orphan }) => orphan.problem,
      plan: ({ plan }) => plan && { changes: plan },
    },
  } satisfies Resolvers;
}
