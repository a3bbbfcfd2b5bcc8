import { Failure } from '../../domain/failures.ts';
import type { CallOptions, KubernetesClient, ObjectReference } from '../../kubernetes/kubernetes-client.ts';
import { isObjectNotFound } from '../../kubernetes/kubernetes-error.ts';
import type { ClusterRevision, HibernationChange } from '../cluster-driver.ts';
import { clusterLost } from '../cluster-lost.ts';
import { refusalOf } from './refusal.ts';
import { asShoot, type Shoot } from './shoot/shoot.ts';
import { hibernationOf } from './shoot/shoot-hibernation.ts';
import { revisionOf } from './shoot/shoot-revision.ts';

interface Subject {
  readonly client: KubernetesClient;
  readonly reference: ObjectReference;
  readonly change: HibernationChange;
  /** As it is upstream now; undefined when there is none of ours. */
  readonly shoot: Shoot | undefined;
  readonly signal: AbortSignal;
}

const verbs: Readonly<Record<HibernationChange, string>> = { hibernate: 'hibernate', wakeUp: 'wake up' };

/** Refuses in the original's words, with Gardener's reason; what only its admission knows is found by a dry run. */
export async function checkHibernation(subject: Subject): Promise<void> {
  const { shoot, change } = subject;
  if (!shoot) throw refused(change, 'its cluster does not exist');
  if (shoot.metadata.deletionTimestamp !== undefined) throw refused(change, 'its cluster is being deleted');
  const { wanted, obstacle } = hibernationOf(shoot);
  if (wanted === isWanted(change)) return;
  if (change === 'hibernate' && obstacle !== undefined) throw refused(change, obstacle);
  await send(subject, shoot, { dryRun: true });
}

/** Leaves all else of the Shoot alone, its schedules for hibernation among it. */
export async function changeHibernation(subject: Subject): Promise<ClusterRevision> {
  const { shoot, change, reference } = subject;
  if (!shoot) throw lost(reference);
  if (hibernationOf(shoot).wanted === isWanted(change)) return revisionOf(shoot);
  return revisionOf(await send(subject, shoot, {}));
}

async function send(
  { client, reference, change, signal }: Subject,
  { metadata: { uid } }: Shoot,
  options: Omit<CallOptions, 'signal'>,
): Promise<Shoot> {
  const patch = { metadata: { uid }, spec: { hibernation: { enabled: isWanted(change) } } };
  try {
    return asShoot(await client.patch(reference, patch, { ...options, signal }));
  } catch (error) {
    if (isObjectNotFound(error)) throw lost(reference);
    const refusal = refusalOf(error);
    if (!refusal) throw error;
    if (refusal.code === 'CLUSTER_REJECTED') throw refused(change, refusal.message, error);
    throw new Failure(refusal.code, refusal.message, { cause: error });
  }
}

function isWanted(change: HibernationChange): boolean {
  return change === 'hibernate';
}

function refused(change: HibernationChange, reason: string, cause?: unknown): Failure {
  return new Failure('HIBERNATION_REFUSED', `cannot ${verbs[change]} cluster: ${reason}`, { cause });
}

function lost({ name }: ObjectReference): Failure {
  return clusterLost({ driver: 'gardener', name });
}
