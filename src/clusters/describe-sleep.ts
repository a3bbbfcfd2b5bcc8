import type { Hibernation } from './cluster-driver.ts';

/** What follows the name of a cluster that is not simply awake, such as `is hibernated`. */
export function describeSleep({ wanted, hibernated }: Hibernation): string | undefined {
  if (wanted) return hibernated ? 'is hibernated' : 'is being hibernated';
  return hibernated ? 'is waking up' : undefined;
}

/** What a caller can do who needs the cluster awake. */
export function sleepAdvice({ wanted }: Hibernation): string {
  return wanted ? 'wake it up with wakeUpRuntime' : 'wait until it is awake';
}
