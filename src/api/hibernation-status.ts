import type { Hibernation } from '../clusters/cluster-driver.ts';
import type { ClusterOwner } from '../clusters/cluster-order.ts';
import type { ClusterWatches } from '../clusters/cluster-watch.ts';
import { describeSleep, sleepAdvice } from '../clusters/describe-sleep.ts';
import type { HibernationStatus } from './generated/schema.ts';

interface Subject {
  readonly watches: ClusterWatches;
  readonly runtime: ClusterOwner;
}

/** As it is at hand; nobody is asked. Undefined: not known now, no cluster, or one that cannot sleep. */
export function hibernationAtHand({ watches, runtime: { id, cluster } }: Subject): Hibernation | undefined {
  return watches[cluster.driver]?.look({ runtimeId: id, name: cluster.name })?.seen?.observation.hibernation;
}

export function hibernationStatus(subject: Subject): HibernationStatus | undefined {
  const hibernation = hibernationAtHand(subject);
  if (!hibernation) return undefined;
  return { hibernated: hibernation.hibernated, hibernationPossible: hibernation.obstacle === undefined };
}

/** Why nothing in the cluster answers, and what to do; undefined when it is awake as far as is known. */
export function sleepReason(subject: Subject): string | undefined {
  const hibernation = hibernationAtHand(subject);
  const sleep = hibernation && describeSleep(hibernation);
  return sleep && `the cluster ${sleep}; ${sleepAdvice(hibernation)}`;
}
