import { Failure } from '../../domain/failures.ts';
import type { KubernetesClient, ObjectReference } from '../../kubernetes/kubernetes-client.ts';
import { isObjectNotFound } from '../../kubernetes/kubernetes-error.ts';
import { type Refusal, refusalOf, throwRefusal } from './refusal.ts';
import { judgeShoot } from './shoot/judge-shoot.ts';
import type { Shoot } from './shoot/shoot.ts';

const confirmation = 'confirmation.gardener.cloud/deletion';
/** Gardener takes it off again as it begins. */
const retry = { 'gardener.cloud/operation': 'retry' };
const nextStep =
  'Have somebody else delete the Shoot in the Garden, for which this service has confirmed it; then send deprovisionRuntime again.';

interface ShootCall {
  readonly client: KubernetesClient;
  readonly reference: ObjectReference;
  /** As it is now: no other one of its name is touched. */
  readonly shoot: Shoot;
  readonly signal: AbortSignal;
}

/** Begins the deletion of a Shoot, or begins it again when Gardener gave it up. One that is gone is fine. */
export async function deleteShoot(call: ShootCall): Promise<void> {
  const { client, reference, shoot, signal } = call;
  const { uid, annotations, deletionTimestamp } = shoot.metadata;
  try {
    // A deletion that Gardener gave up does not go on by being asked for again.
    if (deletionTimestamp !== undefined) return await retryIfGivenUp(call);
    if (annotations?.[confirmation] !== 'true') {
      await client.patch(reference, { metadata: { uid, annotations: { [confirmation]: 'true' } } }, { signal });
    }
    await client.delete(reference, { signal, ...(uid !== undefined && { uid }) });
  } catch (error) {
    if (isObjectNotFound(error)) return;
    const refusal = refusalOf(error);
    if (refusal && needsAnother(refusal)) throw new Failure(refusal.code, refusal.message, { cause: error, nextStep });
    throwRefusal(error);
  }
}

/** A project may want the deletion to be confirmed by one and asked for by another. */
function needsAnother({ message }: Refusal): boolean {
  return message.includes('another subject must perform the deletion');
}

/** Asks Gardener to go on with a Shoot that it gave up on. */
export async function retryIfGivenUp({ client, reference, shoot, signal }: ShootCall): Promise<void> {
  if (judgeShoot(shoot).state !== 'failed') return;
  const { uid } = shoot.metadata;
  await client.patch(reference, { metadata: { uid, annotations: retry } }, { signal });
}
