import { type ListedRuntime, listRuntimes, type RuntimeListFilter } from '../db/queries/list-runtimes.ts';
import type { RequestContext } from './context.ts';
import type { ApiDependencies } from './dependencies.ts';
import type { PageInfo, RuntimeFilter } from './generated/schema.ts';
import { refuse } from './invalid-input.ts';
import { labelsIn } from './labels-in.ts';
import { checkPageSize, type PageRequest, readAfter, toPage } from './page-request.ts';
import { unstorableText } from './unstorable-text.ts';

export async function runtimesPage({
  dependencies: { database },
  context,
  request: { filter, first, after },
  largestPage,
}: {
  dependencies: ApiDependencies;
  context: RequestContext;
  request: PageRequest<RuntimeFilter>;
  largestPage: number;
}): Promise<{ nodes: readonly ListedRuntime[]; pageInfo: PageInfo }> {
  const { tenant } = context.caller();
  const { position, problems } = readAfter('runtimes', after);
  refuse([...unstorableText(filter, 'filter'), ...checkPageSize(first, largestPage), ...problems]);
  const rows = await listRuntimes({
    database,
    tenant,
    filter: listFilter(filter ?? {}),
    withDeleted: filter?.includeDeleted ?? false,
    bounds: {
      behind: position,
      since: filter?.createdAfter ?? undefined,
      before: filter?.createdBefore ?? undefined,
    },
    limit: first + 1,
  });
  return toPage('runtimes', rows, first);
}

function listFilter(filter: Partial<RuntimeFilter>): RuntimeListFilter {
  const { state, operation, name, labels, provider, region, kymaVersion, kubernetesVersion, lost } = filter;
  return {
    states: state ?? undefined,
    kinds: operation ?? undefined,
    names: name ?? undefined,
    labels: labelsIn(labels),
    providers: provider ?? undefined,
    regions: region ?? undefined,
    kymaVersions: kymaVersion ?? undefined,
    kubernetesVersions: kubernetesVersion ?? undefined,
    lost: lost ?? undefined,
  };
}
