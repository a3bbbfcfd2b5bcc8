import { setImmediate as nextTurn } from 'node:timers/promises';

export const paceNames = ['instant', 'demo', 'realistic'] as const;
/** `instant`: nothing takes time; `demo`: a cluster in about 8 s; `realistic`: minutes, as in the world. */
export type PaceName = (typeof paceNames)[number];

interface Durations {
  /** Nothing, unless whatever is repeated without an end would keep the machine busy. */
  readonly instant?: number;
  readonly demo: number;
  readonly realistic: number;
}

/** What takes time in the outside world; milliseconds per single step. */
const durations = {
  scheduling: { demo: 300, realistic: 5_000 },
  shootTask: { demo: 1_000, realistic: 45_000 },
  shootDeletionTask: { demo: 500, realistic: 40_000 },
  shootRetry: { instant: 50, demo: 1_000, realistic: 30_000 },
  /** Of one pool: its nodes are replaced one after the other. */
  nodesRollout: { demo: 1_500, realistic: 240_000 },
  rateLimitRetry: { instant: 200, demo: 3_000, realistic: 600_000 },
  managerStart: { demo: 400, realistic: 15_000 },
  moduleNotice: { demo: 200, realistic: 3_000 },
  moduleReconcile: { demo: 600, realistic: 20_000 },
  moduleDeletion: { demo: 300, realistic: 10_000 },
  installerComponent: { demo: 500, realistic: 45_000 },
  installerRetry: { demo: 500, realistic: 20_000 },
  installerSettling: { demo: 10, realistic: 50 },
  agentStart: { demo: 300, realistic: 10_000 },
  agentSync: { demo: 300, realistic: 5_000 },
  /** Until an agent looks again by itself. */
  agentPeriod: { instant: 200, demo: 2_000, realistic: 180_000 },
  gkeCreation: { demo: 1_500, realistic: 60_000 },
  gkeDeletion: { demo: 700, realistic: 60_000 },
  gkeChange: { demo: 1_000, realistic: 120_000 },
  brokeredService: { demo: 300, realistic: 15_000 },
  cloudResource: { demo: 300, realistic: 20_000 },
} as const satisfies Record<string, Durations>;

export type Activity = keyof typeof durations;

/** The landscape's time, which may be changed while it runs: whatever is under way then ends at once. */
export class Pace {
  #name: PaceName;
  #stopped = false;
  readonly #releases = new Set<() => void>();

  constructor(name: PaceName) {
    this.#name = name;
  }

  get name(): PaceName {
    return this.#name;
  }

  change(name: PaceName): void {
    this.#name = name;
    for (const release of [...this.#releases]) release();
  }

  /** Resolves when the activity's time is over. After `stop` it never resolves, so whoever waits simply ends. */
  async pass(activity: Activity): Promise<void> {
    const { [this.#name]: milliseconds = 0 }: Durations = durations[activity];
    if (milliseconds === 0) await nextTurn();
    else await this.#sleep(milliseconds);
    if (this.#stopped) await new Promise<never>(() => {});
  }

  stop(): void {
    this.#stopped = true;
    for (const release of [...this.#releases]) release();
  }

  #sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const release = () => {
        clearTimeout(timer);
        this.#releases.delete(release);
        resolve();
      };
      const timer = setTimeout(release, milliseconds);
      this.#releases.add(release);
    });
  }
}
