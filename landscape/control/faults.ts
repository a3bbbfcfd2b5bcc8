export const targets = [
  'garden',
  'management',
  'cluster',
  'director',
  'oauth',
  'connector',
  'artifacts',
  'gke',
  'google',
] as const;
/** A part of the landscape that answers requests. */
export type Target = (typeof targets)[number];

/**
 * What goes wrong with a request. `loseReply`: the request has its effect, then the connection breaks. `stall`: nothing
 * happens until the fault is removed; then it is answered, and has its effect also when nobody waits for it any more.
 */
export type FaultAction =
  | { readonly kind: 'delay'; readonly milliseconds: number }
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly body?: unknown;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'drop' }
  | { readonly kind: 'stall' }
  | { readonly kind: 'loseReply' };

/** What the request meets. */
export type TakenFault =
  | Exclude<FaultAction, { kind: 'stall' }>
  /** Resolves when it is over. */
  | { readonly kind: 'stall'; readonly over: Promise<void> };

/** Which requests go wrong, and how. What is not given matches everything; patterns are regular expressions. */
export interface FaultRule {
  /** `kubernetes` stands for garden, management and cluster. */
  readonly target?: Target | 'kubernetes';
  readonly method?: string;
  /** Of the path with its query string. */
  readonly path?: string;
  /** Of the request's body. */
  readonly body?: string;
  /** How many requests go wrong; all, when not given. */
  readonly count?: number;
  /** Of each request, 0 to 1; 1 when not given. */
  readonly probability?: number;
  /** So many in any second go right, as with a server that limits its clients. */
  readonly beyondPerSecond?: number;
  readonly action: FaultAction;
}

export interface FaultSubject {
  readonly target: Target;
  readonly method: string;
  readonly path: string;
  readonly body?: string | Buffer | undefined;
}

interface ActiveFault {
  readonly id: string;
  readonly rule: FaultRule;
  readonly path: RegExp | undefined;
  readonly body: RegExp | undefined;
  left: number;
  hits: number;
  readonly removed: PromiseWithResolvers<void>;
  /** When the last ones went right that `beyondPerSecond` lets through. */
  readonly passed: number[];
}

/** The faults in force. The first rule that matches a request decides. */
export class Faults {
  readonly #faults = new Map<string, ActiveFault>();
  #nextId = 1;

  /** Answers an id for `remove`. */
  add(rule: FaultRule): string {
    const id = String(this.#nextId++);
    this.#faults.set(id, {
      id,
      rule,
      path: rule.path === undefined ? undefined : new RegExp(rule.path),
      body: rule.body === undefined ? undefined : new RegExp(rule.body),
      left: rule.count ?? Number.POSITIVE_INFINITY,
      hits: 0,
      removed: Promise.withResolvers(),
      passed: [],
    });
    return id;
  }

  remove(id: string): boolean {
    this.#faults.get(id)?.removed.resolve();
    return this.#faults.delete(id);
  }

  clear(): void {
    for (const id of [...this.#faults.keys()]) this.remove(id);
  }

  list(): { id: string; rule: FaultRule; hits: number }[] {
    return [...this.#faults.values()].map(({ id, rule, hits }) => ({ id, rule, hits }));
  }

  /** The fault for this request, which is then counted. */
  take(subject: FaultSubject): TakenFault | undefined {
    for (const fault of this.#faults.values()) {
      if (fault.left <= 0 || !matches(fault, subject)) continue;
      if (Math.random() >= (fault.rule.probability ?? 1)) continue;
      if (isWithinLimit(fault)) continue;
      fault.left -= 1;
      fault.hits += 1;
      const { action } = fault.rule;
      return action.kind === 'stall' ? { ...action, over: fault.removed.promise } : action;
    }
    return undefined;
  }
}

/** What is let through is counted. */
function isWithinLimit({ rule: { beyondPerSecond = 0 }, passed }: ActiveFault): boolean {
  const now = performance.now();
  while ((passed[0] ?? now) <= now - 1_000) passed.shift();
  if (passed.length >= beyondPerSecond) return false;
  passed.push(now);
  return true;
}

function matches({ rule, path, body }: ActiveFault, subject: FaultSubject): boolean {
  if (rule.target !== undefined && rule.target !== subject.target && !isKubernetes(rule.target, subject.target)) {
    return false;
  }
  if (rule.method !== undefined && rule.method.toUpperCase() !== subject.method) return false;
  if (path && !path.test(subject.path)) return false;
  return !body || body.test(String(subject.body ?? ''));
}

function isKubernetes(target: FaultRule['target'], subject: Target): boolean {
  return target === 'kubernetes' && (subject === 'garden' || subject === 'management' || subject === 'cluster');
}
