import type { Random } from './random.ts';

/** Something done to a Runtime that exists. */
export interface PlannedStep {
  readonly what: 'upgrade' | 'upgradeShoot' | 'sleep' | 'reconnect';
  /** The caller changes their mind after so many milliseconds, and then again. */
  readonly cancelAfter?: number;
}

/** What is going to happen to one Runtime, drawn beforehand: it does not depend on how things go. */
export interface LifePlan {
  readonly name: string;
  readonly tenant: string;
  readonly driver: 'gardener' | 'gke';
  readonly withKyma: boolean;
  /** `fails`: the cloud refuses the cluster at first; the operation is retried. `cancelled`: as for a step. */
  readonly beginning: 'plain' | 'fails' | { readonly cancelAfter: number };
  readonly steps: readonly PlannedStep[];
  /** `in-the-middle`: a change is begun, and deprovisioning cancels it. */
  readonly end: 'deprovision' | 'in-the-middle' | 'stay';
}

const tenants = ['tenant-a', 'tenant-b', 'demo'] as const;
const longestHesitation = 400;

export function planLife(index: number, random: Random): LifePlan {
  const driver = random.chance(0.2) ? 'gke' : 'gardener';
  const withKyma = random.chance(0.5);
  const chance = random.next();
  const beginning =
    chance < 0.15
      ? ('fails' as const)
      : chance < 0.35
        ? { cancelAfter: random.between(0, longestHesitation) }
        : 'plain';
  const possible = possibleSteps(driver, withKyma);
  const steps: PlannedStep[] = [];
  for (let count = random.between(0, 4); count > 0; count -= 1) {
    const what = random.pick(possible);
    const cancelled = random.chance(0.25) && { cancelAfter: random.between(0, longestHesitation) };
    // A version is upgraded to once.
    if (what === 'upgrade' && steps.some((step) => step.what === 'upgrade')) continue;
    steps.push({ what, ...cancelled });
  }
  const last = random.next();
  const end = last < 0.6 ? 'deprovision' : last < 0.75 ? 'in-the-middle' : 'stay';
  return { name: `life-${index}`, tenant: random.pick(tenants), driver, withKyma, beginning, steps, end };
}

function possibleSteps(driver: LifePlan['driver'], withKyma: boolean): [PlannedStep['what'], ...PlannedStep['what'][]] {
  const always: [PlannedStep['what']] = ['upgrade'];
  return [
    ...always,
    ...(driver === 'gardener' ? (['upgradeShoot', 'upgradeShoot', 'sleep'] as const) : []),
    ...(withKyma ? (['reconnect'] as const) : []),
  ];
}
