import type { ClusterObservation } from '../../cluster-driver.ts';
import { codesOf, failureOf, goesOnByItself, obstacleOf, tellErrors } from './error-codes.ts';
import type { Shoot, ShootStatus } from './shoot.ts';
import { hibernationOf } from './shoot-hibernation.ts';

/** Addresses at which a cluster can be reached from outside, the best first. */
export const reachableAddresses = ['external', 'unmanaged'] as const;

/**
 * What a Shoot's status means. Conditions are left out on purpose: they may be Progressing for moments at any time.
 *
 * | state of the last operation | seen by Gardener's gardenlet | means |
 * |---|---|---|
 * | any, with a deletionTimestamp | | deleting; failed when Gardener gave up the deletion itself |
 * | Succeeded | newest generation, address there | ready |
 * | Succeeded | newest generation, hibernated as it should be | hibernated |
 * | Failed | newest generation | failed, unless only a rate limit stopped it |
 * | everything else, or none | | changing: Gardener goes on by itself |
 */
export function judgeShoot(shoot: Shoot): ClusterObservation {
  const { status = {}, spec, metadata } = shoot;
  const domain = spec?.dns?.domain;
  const seed = spec?.seedName ?? status.seedName;
  const hibernation = hibernationOf(shoot);
  const newest = metadata.generation === undefined || metadata.generation === status.observedGeneration;
  const known = {
    ...(domain !== undefined && { domain }),
    ...(seed !== undefined && { seed }),
    ...(!newest && { unseen: true as const }),
    hibernation,
  };
  const { lastOperation } = status;
  const progress = lastOperation?.progress === undefined ? {} : { progress: lastOperation.progress };
  const gaveUp = lastOperation?.state === 'Failed' && newest && !goesOnByItself(codesOf(status));

  if (metadata.deletionTimestamp !== undefined) {
    if (lastOperation?.type !== 'Delete') {
      return { ...known, state: 'deleting', message: 'Gardener has not begun the deletion yet' };
    }
    if (gaveUp) return { ...known, state: 'failed', failure: failureOf(shoot) };
    return { ...known, state: 'deleting', message: tell(status), ...progress, obstacle: obstacleOf(status) };
  }
  if (gaveUp) return { ...known, state: 'failed', failure: failureOf(shoot) };
  if (!lastOperation) return { ...known, state: 'changing', message: 'Gardener has not begun yet' };
  if (lastOperation.state === 'Pending' && seed === undefined) {
    const message = `No Seed is assigned yet: ${lastOperation.description ?? ''}`;
    return { ...known, state: 'changing', message, obstacle: { code: 'CLUSTER_NO_SEED' } };
  }
  if (lastOperation.state !== 'Succeeded') {
    return { ...known, state: 'changing', message: tell(status), ...progress, obstacle: obstacleOf(status) };
  }
  if (!newest) return { ...known, state: 'changing', message: 'Gardener has not seen the newest change yet' };
  if (!isBuilt(lastOperation.type)) return { ...known, state: 'changing', message: tell(status), ...progress };
  if (hibernation.wanted !== hibernation.hibernated) {
    const message = `Gardener is about to ${hibernation.wanted ? 'hibernate the cluster' : 'wake the cluster up'}`;
    return { ...known, state: 'changing', message };
  }
  if (hibernation.hibernated) return { ...known, state: 'hibernated' };
  if (!status.advertisedAddresses?.some(({ name }) => reachableAddresses.some((wanted) => wanted === name))) {
    return { ...known, state: 'changing', message: 'The cluster has no address yet', ...progress };
  }
  return { ...known, state: 'ready' };
}

/** After Migrate the control plane is nowhere until Restore. */
function isBuilt(type: string | undefined): boolean {
  return type === 'Create' || type === 'Reconcile' || type === 'Restore' || type === 'LiveMigrate';
}

/**
 * `Create Error, 45 %: Waiting until ... (what to do)`. While Gardener tries again, the errors of the try before are told
 * of a deletion only, which has nothing else to say for itself.
 */
function tell(status: ShootStatus): string {
  const { type = 'Operation', state = 'unknown', progress, description = '' } = status.lastOperation ?? {};
  const head = `${type} ${state}${progress === undefined ? '' : `, ${progress} %`}`;
  const words = [description];
  if (state !== 'Processing') words.push(tellErrors(status, description));
  else if (type === 'Delete' && status.lastErrors?.length) words.push(`The try before failed: ${tellErrors(status)}`);
  const told = words.filter((text) => text !== '').join(' ');
  return told === '' ? head : `${head}: ${told}`;
}
