import { orAbort } from '../../domain/or-abort.ts';
import { type Pace, whenWoken } from '../../domain/outcome.ts';
import type { Informer } from '../../kubernetes/informer.ts';
import { RequestBudget } from '../../kubernetes/request-budget.ts';
import type { ClusterObservation, ClusterRevision } from '../cluster-driver.ts';
import type { GardenerOrder } from './gardener-order.ts';
import { judgeShoot } from './shoot/judge-shoot.ts';
import { ownerOf } from './shoot/ownership.ts';
import { asShoot, type Shoot } from './shoot/shoot.ts';
import { isBefore } from './shoot/shoot-revision.ts';

/**
 * Every replica watches all Shoots, and announces what has changed when it goes on after an interruption: no change goes
 * unnoticed, so that looking at each that waits would only cost, the more the more there are.
 */
const whileFollowed: Pace = { from: 300_000, upTo: 900_000 };
/** As long as a watch is believed in which nothing is heard any more. */
const longestBelieved = 100_000;
/** How many looks in a second ask the Garden, by each process, once the watch is not believed any more. */
const asksPerSecond = 10;
/** How long the first look of a process waits for the first list. */
const firstListMillis = 5_000;

/** There is nothing to go by, and enough others ask the Garden already. */
class ShootUnseen extends Error {
  override readonly name = 'ShootUnseen';
  readonly retryAfterMilliseconds = 30_000;
}

export interface ShootObserver {
  /** As the watch has it, which may lag behind what we ourselves did a moment ago. */
  watched(order: GardenerOrder): Shoot | undefined;
  observe(
    order: GardenerOrder,
    options: { readonly signal: AbortSignal; readonly since: ClusterRevision | undefined },
  ): Promise<ClusterObservation>;
  /** When to look at a Shoot of which nothing is announced. */
  readonly safetyNet: Pace;
}

/**
 * Looks at Shoots as the watch has them. An interrupted watch announces what has changed as soon as it goes on, so that
 * what it had is still what to wait with; only what it cannot tell is asked of the Garden. A watch that stays away is
 * replaced by looks that ask, at a pace that does not depend on how many operations wait.
 */
export function shootObserver({
  informer,
  readOurs,
}: {
  informer: Informer;
  /** Asks the Garden. */
  readOurs: (order: GardenerOrder, options: { signal: AbortSignal }) => Promise<Shoot | undefined>;
}): ShootObserver {
  const asks = new RequestBudget({ perSecond: asksPerSecond, burst: asksPerSecond });
  const isFollowed = () => informer.behindMillis <= longestBelieved;

  function watched({ cluster, runtimeId }: GardenerOrder): Shoot | undefined {
    const object = informer.get(cluster.name);
    return object && ownerOf(asShoot(object)) === runtimeId ? asShoot(object) : undefined;
  }

  /** A process that starts is woken for every Shoot, while it has listed none. */
  async function firstList(signal: AbortSignal): Promise<void> {
    const { state } = informer;
    if (isFollowed() || state.phase !== 'starting' || state.problem !== undefined) return;
    const patience = AbortSignal.any([signal, AbortSignal.timeout(firstListMillis)]);
    await orAbort(informer.synced, patience).catch(() => signal.throwIfAborted());
  }

  function unseen({ cluster: { name } }: GardenerOrder): ShootUnseen {
    const { state } = informer;
    const problem = 'problem' in state && state.problem !== undefined ? ` (${state.problem})` : '';
    return new ShootUnseen(`Shoot ${name} is looked at later: the Shoots cannot be watched at the moment${problem}`);
  }

  return {
    watched,

    async observe(order, { signal, since }) {
      const isLate = (shoot: Shoot) => since !== undefined && isBefore(shoot, since);
      await firstList(signal);
      const seen = watched(order);
      const judged = seen && !isLate(seen) ? judgeShoot(seen) : undefined;
      // The watch may lag behind, so a final word is asked for.
      const suffices = judged !== undefined && judged.state !== 'failed';
      if (suffices && isFollowed()) return judged;
      if (!isFollowed() && !asks.takeNow()) {
        if (suffices) return judged;
        throw unseen(order);
      }
      const shoot = await readOurs(order, { signal });
      if (shoot && isLate(shoot)) throw new Error(`Gardener answers an older Shoot ${order.cluster.name} than it had`);
      return shoot ? judgeShoot(shoot) : { state: 'absent' };
    },

    get safetyNet() {
      return isFollowed() ? whileFollowed : whenWoken;
    },
  };
}
