import type { Database } from '../db/database.ts';
import { databaseTime } from '../db/queries/database-time.ts';
import { judgeOwned } from '../db/queries/judge-owned.ts';
import {
  claimOrphanSearches,
  giveUpOrphanSearch,
  type OrphanScope,
  settleOrphanSearch,
} from '../db/queries/orphan-searches.ts';
import { closeOrphans, countOrphans, listOrphan, noteOrphanTrouble } from '../db/queries/orphans.ts';
import { Failure } from '../domain/failures.ts';
import type { Logger } from '../domain/logger.ts';
import { type Orphan, type OrphanSource, orphanSources } from '../domain/orphan.ts';
import type { OwnedObjects } from '../domain/owned-objects.ts';
import type { Runtime } from '../domain/runtime.ts';
import { tenantMark } from '../domain/tenant-mark.ts';
import { repeat } from './repeat.ts';

/** Searches that one replica begins at once; those that are left are next. */
const searchesAtOnce = 30;
/** A scope whose search takes many requests is searched less often: no more than one request a second on average. */
const restPerRequest = 1_000;
/** After an answer that will not be another one soon, such as a refused key. */
const restAfterRefusal = 600_000;
const searchTimeout = 60_000;

export interface OrphanSearch {
  /**
   * Searches one scope now: lists what is new there, removes what is to be removed, closes what is gone. Throws what the
   * outside answers instead.
   */
  look(scope: OrphanScope, signal: AbortSignal): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Compares what bears our mark outside with the Runtimes that are stored, and keeps the list of what belongs to none.
 * Nothing is removed unless somebody asked for it.
 */
export function searchForOrphans({
  database,
  owned,
  installation,
  unregisters,
  everyMilliseconds,
  onCount,
  log,
}: {
  database: Database;
  /** Undefined: nothing is searched for there. */
  owned: Readonly<Record<OrphanSource, OwnedObjects | undefined>>;
  installation: string;
  /** Of whose Runtimes the entries in the Director are removed when they are deprovisioned. */
  unregisters: Readonly<Record<Runtime['registration'], boolean>>;
  /** Between two searches of one scope. */
  everyMilliseconds: number;
  /** Told now and then how many orphans are listed. */
  onCount: (counts: Readonly<Record<OrphanSource, number>>) => void;
  log: Logger;
}): OrphanSearch {
  const sources = orphanSources.filter((source) => owned[source] !== undefined);
  const unregistered = (['ours', 'callers'] as const).filter((registration) => unregisters[registration]);

  function objectsOf(source: OrphanSource): OwnedObjects {
    const objects = owned[source];
    if (!objects) throw new Error(`nothing is searched for in ${source} by this configuration`);
    return objects;
  }

  async function look(scope: OrphanScope, signal: AbortSignal): Promise<void> {
    try {
      await search(scope, signal);
    } catch (error) {
      if (signal.aborted && !isTimeout(signal.reason)) throw error;
      const restMilliseconds = error instanceof Failure ? restAfterRefusal : 0;
      await giveUpOrphanSearch({ database, scope, restMilliseconds, problem: tellTrouble(error) });
      throw error;
    }
  }

  async function search(scope: OrphanScope, signal: AbortSignal): Promise<void> {
    const { source } = scope;
    const outside = objectsOf(source);
    const before = await databaseTime({ database });
    const { objects, requests } = await outside.search(scope.scope, signal);
    const byUid = new Map(objects.map((object) => [object.uid, object]));
    const uids: string[] = [];
    for (const judged of await judgeOwned({ database, source, installation, objects, unregistered })) {
      const object = byUid.get(judged.uid);
      // What was seen may have gone since, and its Runtime with it.
      if (!object || (!judged.listed && !(await outside.exists(object, scope.scope, signal)))) continue;
      const mark = judged.tenant === undefined ? object.tenantMark : tenantMark(judged.tenant);
      const found = { object, reason: judged.reason, tenantMark: mark };
      const { orphan, isNew } = await listOrphan({ database, scope, found });
      if (isNew) log.warn(fieldsOf(orphan), 'found something outside that belongs to no Runtime');
      if (orphan.removalRequestedAt && !(await remove(orphan, signal))) continue;
      uids.push(judged.uid);
    }
    const closed = await closeOrphans({ database, scope, before, uids });
    for (const orphan of closed) log.info(fieldsOf(orphan), 'what belonged to no Runtime is gone');
    await settleOrphanSearch({ database, scope, restMilliseconds: requests * restPerRequest });
  }

  /** Whether it is still there. */
  async function remove(orphan: Orphan, signal: AbortSignal): Promise<boolean> {
    const { id, source, scope } = orphan;
    try {
      const outside = objectsOf(source);
      await outside.remove(orphan, scope, signal);
      if (orphan.problem !== undefined) await noteOrphanTrouble({ database, id, problem: undefined });
      return await outside.exists(orphan, scope, signal);
    } catch (error) {
      signal.throwIfAborted();
      log.warn({ err: error, orphan: id, where: source }, 'what belongs to no Runtime cannot be removed yet');
      await noteOrphanTrouble({ database, id, problem: tellTrouble(error) });
      return true;
    }
  }

  const fieldsOf = ({ id, source, scope, place, name, runtimeId, reason }: Orphan) => {
    return { orphan: id, where: source, scope, place, name, runtimeId, reason };
  };

  async function lookInTime(scope: OrphanScope, stopping: AbortSignal): Promise<void> {
    try {
      await look(scope, AbortSignal.any([stopping, AbortSignal.timeout(searchTimeout)]));
    } catch (error) {
      stopping.throwIfAborted();
      log.warn({ err: error, where: scope.source, scope: scope.scope }, 'cannot search for what belongs to no Runtime');
    }
  }

  const searching = repeat({
    // Twice as often as a scope is due, so that none waits for much longer than it should.
    everyMilliseconds: everyMilliseconds / 2,
    work: async (signal) => {
      const limit = searchesAtOnce;
      const due = await claimOrphanSearches({ database, sources, everyMilliseconds, limit });
      await Promise.all(due.map((scope) => lookInTime(scope, signal)));
      const counts = await countOrphans({ database });
      onCount({ gardener: 0, gke: 0, director: 0, ...counts });
    },
    onError: (error) => log.warn({ err: error }, 'cannot search for what belongs to no Runtime'),
  });
  return { look, stop: () => searching.stop() };
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError';
}

/** A caller reads it: what is not meant for callers stays in the log. */
function tellTrouble(error: unknown): string {
  return error instanceof Failure ? error.message : 'it does not answer, or not as expected; it is asked again';
}
