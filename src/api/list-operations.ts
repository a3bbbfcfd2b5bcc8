import { listOperations } from '../db/queries/list-operations.ts';
import type { RequestContext } from './context.ts';
import type { ApiDependencies } from './dependencies.ts';
import type { OperationFilter, PageInfo } from './generated/schema.ts';
import { refuse } from './invalid-input.ts';
import { labelsIn } from './labels-in.ts';
import { checkPageSize, type PageRequest, readAfter, toPage } from './page-request.ts';
import { readRuntimeId } from './read-runtime-id.ts';
import { unstorableText } from './unstorable-text.ts';
import type { OperationView } from './views.ts';

export async function operationsPage({
  dependencies: { database },
  context,
  request: { filter, first, after },
  largestPage,
}: {
  dependencies: ApiDependencies;
  context: RequestContext;
  request: PageRequest<OperationFilter>;
  largestPage: number;
}): Promise<{ nodes: readonly OperationView[]; pageInfo: PageInfo }> {
  const { tenant } = context.caller();
  const { position, problems } = readAfter('operations', after);
  const runtimes = filter?.runtimeID?.map((text, index) => readRuntimeId(text, `filter.runtimeID.${index}`));
  refuse([
    ...unstorableText(filter, 'filter'),
    ...(runtimes ?? []).flatMap((runtime) => runtime.problems),
    ...checkPageSize(first, largestPage),
    ...problems,
  ]);
  const rows = await listOperations({
    database,
    tenant,
    filter: {
      runtimeIds: runtimes?.flatMap(({ id }) => id ?? []),
      kinds: filter?.operation ?? undefined,
      states: filter?.state ?? undefined,
      stages: filter?.stage ?? undefined,
      providers: filter?.provider ?? undefined,
      regions: filter?.region ?? undefined,
      labels: labelsIn(filter?.labels),
      kymaVersions: filter?.kymaVersion ?? undefined,
      kubernetesVersions: filter?.kubernetesVersion ?? undefined,
    },
    bounds: {
      behind: position,
      since: filter?.startedAfter ?? undefined,
      before: filter?.startedBefore ?? undefined,
    },
    limit: first + 1,
  });
  const { nodes, pageInfo } = toPage('operations', rows, first);
  return {
    nodes: nodes.map(({ operation, registration }) => ({ operation, registration: async () => registration })),
    pageInfo,
  };
}
