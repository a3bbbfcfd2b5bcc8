/** What becomes of the Runtime Agents instead of success, in every cluster and until it is lifted. */
export type AgentFate =
  /** Its container ends again and again, so that its Deployment is not available. */
  | { readonly kind: 'crashes'; readonly exitCode?: number; readonly message?: string }
  /** It connects, and each synchronisation ends like this. */
  | {
      readonly kind: 'synchronizationFails';
      readonly state: 'SynchronizationFailed' | 'ResourceApplicationFailed' | 'MetadataUpdateFailed';
      readonly error: string;
    }
  /** It exchanges its token, and dies before it has written down that it did; `times` (default 1), then never again. */
  | { readonly kind: 'forgets'; readonly times?: number };

export const agentFateKinds: readonly AgentFate['kind'][] = ['crashes', 'synchronizationFails', 'forgets'];

export class AgentFates {
  #fate: AgentFate | undefined;
  #forgetsLeft = 0;
  readonly #listeners = new Set<() => void>();

  /** Undefined lifts what is set. */
  set(fate: AgentFate | undefined): void {
    this.#fate = fate;
    this.#forgetsLeft = fate?.kind === 'forgets' ? (fate.times ?? 1) : 0;
    for (const listener of this.#listeners) listener();
  }

  get current(): AgentFate | undefined {
    return this.#fate;
  }

  /** True when the agent is to forget what it has just done. */
  takeForgetting(): boolean {
    if (this.#forgetsLeft === 0) return false;
    this.#forgetsLeft -= 1;
    return true;
  }

  /** Told of each change. Answers the unsubscribe function. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
