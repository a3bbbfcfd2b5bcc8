import { setTimeout as pause } from 'node:timers/promises';
import type { FaultRule } from '../../landscape/control/faults.ts';
import { type Disturbance, type FaultKind, faultKinds } from './history.ts';
import type { Random } from './random.ts';
import type { ReplicaProcess } from './replica-process.ts';
import type { Surroundings } from './surroundings.ts';

/** A fault as it was drawn. Whether it can be made is another question: a dead replica cannot be killed. */
export interface DrawnFault {
  readonly kind: FaultKind;
  /** The replica that it is for, where it is for one. */
  readonly replica: number;
  /** 0 to 1: how long it lasts, or when it strikes. */
  readonly share: number;
}

export interface FaultMaker {
  readonly surroundings: Surroundings;
  /** Told of each fault that was made, once it is over. */
  readonly onMade: (disturbance: Disturbance) => void;
  readonly signal: AbortSignal;
}

/** Longer than a lease, in milliseconds. */
const frozen = { from: 11_000, upTo: 15_000 };
const storm = { from: 2_000, upTo: 5_000 };

/** Without end: every kind once in a random order, then all of them again. */
export function* drawFaults({
  random,
  replicas,
  kinds = faultKinds,
}: {
  random: Random;
  replicas: number;
  kinds?: readonly FaultKind[];
}): Generator<DrawnFault, never> {
  for (;;) {
    const rest = [...kinds];
    while (rest.length > 0) {
      const [kind] = rest.splice(random.between(0, rest.length - 1), 1);
      if (kind) yield { kind, replica: random.between(0, replicas - 1), share: random.next() };
    }
  }
}

/** Resolves when the fault is over and what it hit works again; false when it could not be made. */
export async function makeFault(fault: DrawnFault, maker: FaultMaker): Promise<boolean> {
  const { surroundings, onMade } = maker;
  const from = Date.now();
  const replica = surroundings.replicas[fault.replica];
  const process = replica?.pid;
  const needsReplica = { kill: true, zombie: true, stop: true, 'postgres-restart-in-recovery': true };
  const forReplica = fault.kind in needsReplica;
  if (forReplica && replica?.working !== true) return false;
  const made = await makers[fault.kind](fault, maker, replica as ReplicaProcess);
  if (made) onMade({ kind: fault.kind, from, to: Date.now(), ...(forReplica && process && { process }) });
  return made;
}

type Make = (fault: DrawnFault, maker: FaultMaker, replica: ReplicaProcess) => Promise<boolean>;

const makers: Readonly<Record<FaultKind, Make>> = {
  async kill(_fault, _maker, replica) {
    await replica.kill();
    await replica.start();
    return true;
  },

  async zombie({ share }, { signal }, replica) {
    replica.freeze();
    await pause(frozen.from + share * (frozen.upTo - frozen.from), undefined, { signal }).catch(() => undefined);
    replica.thaw();
    return true;
  },

  async stop(_fault, _maker, replica) {
    await replica.stop();
    await replica.start();
    return true;
  },

  'postgres-restart': (_fault, { surroundings }) => surroundings.database.restart(),
  'postgres-kill': (_fault, { surroundings }) => surroundings.database.kill(),

  async 'postgres-restart-in-recovery'({ share }, { surroundings, signal }, replica) {
    await replica.kill();
    const child = replica.launch();
    await pause(share * 1_500, undefined, { signal }).catch(() => undefined);
    const [made] = await Promise.all([surroundings.database.restart(), replica.ready(child)]);
    return made;
  },

  'upstream-errors': (fault, maker) => storms(fault, maker, tenPercent),
  'lost-replies': (fault, maker) => storms(fault, maker, lostReplies),

  async 'dropped-watches'(_fault, { surroundings }) {
    surroundings.landscape.control.dropWatches('garden');
    return true;
  },

  async 'expired-watches'(_fault, { surroundings }) {
    surroundings.landscape.control.expireWatches('garden');
    return true;
  },
};

/** Of all requests to the outside world. The first rule that strikes decides. */
const tenPercent: readonly FaultRule[] = [
  { probability: 0.03, action: { kind: 'status', status: 429, headers: { 'retry-after': '1' } } },
  { probability: 0.04, action: { kind: 'status', status: 500 } },
  { probability: 0.02, action: { kind: 'drop' } },
  { probability: 0.01, action: { kind: 'delay', milliseconds: 4_000 } },
];

const lostReplies: readonly FaultRule[] = ['POST', 'PUT', 'PATCH', 'DELETE'].map((method) => ({
  method,
  probability: 0.3,
  action: { kind: 'loseReply' },
}));

async function storms({ share }: DrawnFault, maker: FaultMaker, rules: readonly FaultRule[]): Promise<boolean> {
  const { control } = maker.surroundings.landscape;
  const ids = rules.map((rule) => control.addFault(rule));
  await pause(storm.from + share * (storm.upTo - storm.from), undefined, { signal: maker.signal }).catch(
    () => undefined,
  );
  for (const id of ids) control.removeFault(id);
  return true;
}
