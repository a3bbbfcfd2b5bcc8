/** Who is at work, at what. */
export interface AtWork {
  readonly kind: string;
  readonly stage: string;
}

/** Beside an effect: `before Provision/CreatingCluster garden POST shoots`. */
export type Place = `${'before' | 'after'} ${string}`;

interface PlacesOptions {
  readonly isWanted: (place: Place) => boolean;
  readonly onUsed?: ((place: Place) => void) | undefined;
}

/** Which places a run kills at; each once, when it comes by. */
export class Places {
  /** In the order in which somebody was killed there. */
  readonly used: Place[] = [];
  readonly #options: PlacesOptions;
  readonly #taken = new Set<Place>();

  constructor(options: PlacesOptions) {
    this.#options = options;
  }

  /** The first of the effect's two places that is wanted and that nobody has taken. */
  take({ kind, stage }: AtWork, effect: string): Place | undefined {
    const both = (['before', 'after'] as const).map((moment): Place => `${moment} ${kind}/${stage} ${effect}`);
    const place = both.find((one) => !this.#taken.has(one) && this.#options.isWanted(one));
    if (place !== undefined) this.#taken.add(place);
    return place;
  }

  use(place: Place): void {
    this.used.push(place);
    this.#options.onUsed?.(place);
  }

  /** Whoever was to be killed there died elsewhere meanwhile. */
  giveBack(place: Place): void {
    this.#taken.delete(place);
  }
}
