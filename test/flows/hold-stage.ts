import type { Control } from '../../landscape/control/control.ts';
import type { FaultAction, FaultRule } from '../../landscape/control/faults.ts';
import type { ShootFate } from '../../landscape/garden/shoot-fates.ts';
import type { GkeFate } from '../../landscape/gke/gke-fates.ts';
import type { OperationAnswer } from './documents.ts';
import type { Subject } from './lives.ts';
import type { StageHold } from './stage-holds.ts';

/** What can go wrong with requests. `lostReply`: what was asked for happens. */
export const requestFaults = {
  unavailable: { kind: 'status', status: 503 },
  tooMany: { kind: 'status', status: 429, headers: { 'retry-after': '1' } },
  dropped: { kind: 'drop' },
  lostReply: { kind: 'loseReply' },
  silent: { kind: 'stall' },
} as const satisfies Record<string, FaultAction>;
export type HoldBy = keyof typeof requestFaults | 'stuck' | 'failed';

/** By what the stage can be held; none when only the database is in its way, or nothing but what stages before need, too. */
export function waysToHold({ requests, stuck, failed }: StageHold): readonly HoldBy[] {
  return [
    ...(stuck ? (['stuck'] as const) : []),
    ...(requests ? (Object.keys(requestFaults) as HoldBy[]) : []),
    ...(failed ? (['failed'] as const) : []),
  ];
}

export interface Held {
  /** False as long as it has met nobody. */
  hasStruck(): boolean;
  lift(): void;
}

/** Holds the stage of one Runtime until that is lifted. */
export function holdStage(control: Control, hold: StageHold, subject: Subject, by: HoldBy): Held {
  const { name, life } = subject;
  if (by === 'stuck' || by === 'failed') {
    const fate = hold[by];
    if (fate === undefined) throw new Error(`stage ${hold.stage} has no fate ${by}`);
    if (life === 'gke') control.setGkeFate(name, fate as GkeFate);
    else control.setShootFate(name, fate as ShootFate);
    const lift = () => {
      // Another hold may have taken its place.
      if (life === 'gke' && control.gkeFates()[name] === fate) control.liftGkeFate(name);
      if (life !== 'gke' && control.shootFates()[name] === fate) control.liftShootFate(name);
    };
    return { hasStruck: () => true, lift };
  }
  const rule = hold.requests?.(subject);
  if (rule === undefined) throw new Error(`stage ${hold.stage} has no requests`);
  return holdRequests(control, rule, by);
}

/** Until that is lifted. */
export function holdRequests(control: Control, rule: Omit<FaultRule, 'action'>, by: keyof typeof requestFaults): Held {
  const fault = control.addFault({ ...rule, action: requestFaults[by] });
  return {
    hasStruck: () => control.faults().some(({ id, hits }) => id === fault && hits > 0),
    lift: () => void control.removeFault(fault),
  };
}

/** It is in the stage, and has looked at least once. */
export function isHeld(seen: OperationAnswer, stage: string): boolean {
  const untouched = /^(Operation in progress|Retry of operation|Starting|\w+ (the Runtime Agent )?started)/;
  return seen.stage === stage && (seen.lastError !== null || !untouched.test(seen.message));
}
