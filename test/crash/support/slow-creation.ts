import type { FaultRule } from '../../../landscape/control/faults.ts';

/**
 * The next creation of a Shoot (not a dry run) is on its way for so long that its replica can be killed, frozen or
 * stopped meanwhile. The Garden carries it out all the same.
 */
export const slowCreation: FaultRule = {
  target: 'garden',
  method: 'POST',
  path: '/shoots\\?(?!.*dryRun)',
  count: 1,
  action: { kind: 'delay', milliseconds: 4_000 },
};
