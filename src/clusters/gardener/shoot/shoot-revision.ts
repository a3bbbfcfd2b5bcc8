import type { ClusterRevision } from '../../cluster-driver.ts';
import type { Shoot } from './shoot.ts';

/** Of a Shoot as a write answered it, or as it was found to be so already. */
export function revisionOf({ metadata: { uid, generation } }: Shoot): ClusterRevision {
  return `${uid}/${generation}`;
}

/** True when the Shoot was read before that revision came about. Another Shoot of the same name is a later one. */
export function isBefore({ metadata: { uid, generation = 0 } }: Shoot, revision: ClusterRevision): boolean {
  const [ofUid, ofGeneration] = revision.split('/');
  return ofUid === uid && generation < Number(ofGeneration);
}
