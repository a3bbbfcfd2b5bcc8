import { orphanSearchesOfTenant } from '../db/queries/orphan-searches.ts';
import { findOrphan, listOrphans, requestOrphanRemoval } from '../db/queries/orphans.ts';
import { Failure } from '../domain/failures.ts';
import { uuidPattern } from '../domain/ids.ts';
import type { Orphan, OrphanSource } from '../domain/orphan.ts';
import type { PlannedStep } from '../domain/plan.ts';
import { tenantMark } from '../domain/tenant-mark.ts';
import type { RequestContext } from './context.ts';
import type { ApiDependencies } from './dependencies.ts';
import { refuse } from './invalid-input.ts';
import { checkPageSize, type PageRequest, readAfter, toPage } from './page-request.ts';
import type { OrphanView } from './views.ts';

/** What a caller is kept waiting for, in milliseconds; the removal goes on all the same. */
const patience = 10_000;

interface Request {
  readonly dependencies: ApiDependencies;
  readonly context: RequestContext;
  readonly id: string;
}

/** The caller's orphans, and how far the searches for them are. */
export async function orphansPage({
  dependencies: { database },
  context,
  request: { first, after },
  largestPage,
}: {
  dependencies: ApiDependencies;
  context: RequestContext;
  request: Omit<PageRequest<never>, 'filter'>;
  largestPage: number;
}) {
  const { tenant } = context.caller();
  const { position, problems } = readAfter('orphans', after);
  refuse([...checkPageSize(first, largestPage), ...problems]);
  const [rows, searches] = await Promise.all([
    listOrphans({
      ...{ database, tenantMark: tenantMark(tenant), limit: first + 1 },
      bounds: { behind: position, since: undefined, before: undefined },
    }),
    orphanSearchesOfTenant({ database, tenant }),
  ]);
  const { nodes, pageInfo } = toPage('orphans', rows, first);
  return { nodes: nodes.map(({ orphan }): OrphanView => ({ orphan })), pageInfo, searches };
}

/** Writes down that the orphan is to be removed, and begins with it: once this answers, it will be done. */
export async function removeOrphan({ dependencies, context, id }: Request): Promise<OrphanView> {
  const { database } = dependencies;
  const { tenant } = context.caller();
  const mark = tenantMark(tenant);
  const asked = await ownOrphan(id, () => requestOrphanRemoval({ database, tenantMark: mark, id }));
  if (asked.goneAt !== undefined) return { orphan: asked };
  const { source: where, name } = asked;
  context.log.info({ orphan: id, tenant, where, name }, 'removal of an orphan asked for');
  await dependencies.searchForOrphans(asked, AbortSignal.timeout(patience)).catch((error: unknown) => {
    context.log.warn({ err: error, orphan: id }, 'an orphan is not removed at once, but at one of the next turns');
  });
  return { orphan: (await findOrphan({ database, tenantMark: mark, id })) ?? asked };
}

/** What `removeOrphan` would send, as things are now. */
export async function planOrphanRemoval({ dependencies, context, id }: Request): Promise<OrphanView> {
  const { database } = dependencies;
  const mark = tenantMark(context.caller().tenant);
  const find = () => ownOrphan(id, () => findOrphan({ database, tenantMark: mark, id }));
  const known = await find();
  if (known.goneAt !== undefined) return { orphan: known, plan: [] };
  await dependencies.searchForOrphans(known, AbortSignal.timeout(patience)).catch((cause: unknown) => {
    if (cause instanceof Failure) throw cause;
    throw unavailable(known.source, cause);
  });
  const orphan = await find();
  return { orphan, plan: orphan.goneAt === undefined ? [removalOf(orphan)] : [] };
}

async function ownOrphan(id: string, find: () => Promise<Orphan | undefined>): Promise<Orphan> {
  const orphan = uuidPattern.test(id) ? await find() : undefined;
  if (!orphan) throw new Failure('NOT_FOUND', `Orphan ${id} not found`);
  return orphan;
}

const removals = {
  gardener: { action: 'Delete', to: 'gardener', kind: 'Shoot' },
  gke: { action: 'Delete', to: 'gke', kind: 'cluster' },
  director: { action: 'Unregister', to: 'Director', kind: 'Runtime' },
} as const satisfies Record<OrphanSource, object>;

function removalOf({ source, name }: Orphan): PlannedStep {
  const { action, to, kind } = removals[source];
  return { stage: undefined, action, to, subject: `${kind} ${name}` };
}

function unavailable(source: OrphanSource, cause: unknown): Failure {
  const code = source === 'director' ? 'DIRECTOR_UNAVAILABLE' : 'CLUSTER_PROVIDER_UNAVAILABLE';
  const message = 'it cannot be found out now whether this is still there; try again later';
  return new Failure(code, message, { cause });
}
