import type { Hibernation } from '../../cluster-driver.ts';
import type { Shoot } from './shoot.ts';

/** What a Shoot says about its sleep. `status.hibernated` is written as an operation of Gardener's succeeds. */
export function hibernationOf({ spec, status = {} }: Shoot): Hibernation {
  const constraint = status.constraints?.find(({ type }) => type === 'HibernationPossible');
  const possible = constraint === undefined || constraint.status === 'True';
  return {
    wanted: spec?.hibernation?.enabled === true,
    hibernated: status.hibernated === true,
    ...(!possible && { obstacle: constraint.message ?? `the constraint HibernationPossible is ${constraint.status}` }),
  };
}
