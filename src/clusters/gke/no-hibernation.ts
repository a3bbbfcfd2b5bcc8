import type { HibernationChange } from '../cluster-driver.ts';
import { gkeFailure } from './gke-failure.ts';

const words: Readonly<Record<HibernationChange, string>> = {
  hibernate: 'cannot be hibernated',
  wakeUp: 'cannot be hibernated, so it is never woken up',
};

/** GKE has no such thing: a cluster without nodes still runs, and is paid for. */
export function refuseHibernation(change: HibernationChange): never {
  const message = `a cluster of Google Kubernetes Engine ${words[change]}: Google does not offer that. Deprovision the Runtime to save its cost; nothing was changed`;
  throw gkeFailure({ code: 'NOT_SUPPORTED', message });
}
