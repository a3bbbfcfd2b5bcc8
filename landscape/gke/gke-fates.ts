import type { OperationType } from './gke-types.ts';

/** What becomes of a cluster instead of success. */
export type GkeFate =
  /** Operations (of the type, when given) go on no further until the fate is lifted. */
  | { readonly kind: 'stuck'; readonly during?: OperationType }
  /**
   * The operation (`CREATE_CLUSTER` unless another is named) ends with an error: a cluster being made or deleted is left
   * in the state ERROR, any other as it was. With `vanishes`, GKE removes it by itself a moment later.
   */
  | {
      readonly kind: 'failed';
      readonly during?: OperationType;
      readonly code?: string;
      readonly message?: string;
      readonly vanishes?: boolean;
    }
  /** GKE itself is at work on the cluster in the background: it works, and refuses changes, until the fate is lifted. */
  | { readonly kind: 'repairing' }
  /** It needs somebody's help; such as `CA_EXPIRING`. */
  | { readonly kind: 'degraded'; readonly code?: string; readonly message?: string }
  /** So many reads after its creation do not find it yet. */
  | { readonly kind: 'appearsLate'; readonly reads: number };

/** The fates that are set, by the cluster's name; `*` is that of every cluster without its own. */
export class GkeFates {
  readonly #fates = new Map<string, GkeFate>();
  readonly #listeners = new Set<() => void>();

  /** May be set before the cluster exists. */
  set(cluster: string, fate: GkeFate): void {
    this.#fates.set(cluster, fate);
    this.#announce();
  }

  /** All fates when no cluster is named. */
  lift(cluster?: string): void {
    if (cluster === undefined) this.#fates.clear();
    else this.#fates.delete(cluster);
    this.#announce();
  }

  list(): Record<string, GkeFate> {
    return Object.fromEntries(this.#fates);
  }

  of(cluster: string): GkeFate | undefined {
    return this.#fates.get(cluster) ?? this.#fates.get('*');
  }

  /** Resolves when nothing holds an operation of this type back. */
  async whenFree(cluster: string, type: OperationType): Promise<void> {
    while (this.#isStuck(cluster, type)) {
      await new Promise<void>((resolve) => {
        const released = () => {
          this.#listeners.delete(released);
          resolve();
        };
        this.#listeners.add(released);
      });
    }
  }

  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  #isStuck(cluster: string, type: OperationType): boolean {
    const fate = this.of(cluster);
    return fate?.kind === 'stuck' && (fate.during ?? type) === type;
  }

  #announce(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}
