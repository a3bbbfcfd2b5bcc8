import type { ObjectChange } from '../../../kubernetes/informer.ts';
import { asShoot, type Shoot } from './shoot.ts';

/** False for changes that `judgeShoot` does not look at, such as conditions, which change every half minute. */
export function isRelevant(change: ObjectChange): boolean {
  if (change.type !== 'modified' || !change.previous) return true;
  return fingerprint(asShoot(change.object)) !== fingerprint(asShoot(change.previous));
}

function fingerprint({ metadata, spec, status = {} }: Shoot): string {
  const { lastOperation } = status;
  return JSON.stringify([
    metadata.uid,
    metadata.generation,
    metadata.deletionTimestamp,
    spec?.dns?.domain,
    spec?.seedName,
    status.seedName,
    status.observedGeneration,
    status.hibernated,
    [lastOperation?.type, lastOperation?.state, lastOperation?.progress, lastOperation?.description],
    status.lastErrors?.map(({ codes, description }) => [codes, description]),
    status.advertisedAddresses?.map(({ name, url }) => [name, url]),
  ]);
}
