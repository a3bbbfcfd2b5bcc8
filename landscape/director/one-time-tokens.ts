import { randomBytes, randomUUID } from 'node:crypto';

/** How the Connector knows a Runtime: by a token that can be used once, then by a certificate. */
export interface SystemAuth {
  readonly id: string;
  readonly runtimeId: string;
  token: OneTimeToken | undefined;
  certCommonName: string | undefined;
}

export interface OneTimeToken {
  readonly value: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  usedAt: number | undefined;
}

const lifetimeMilliseconds = 60 * 60_000;

/** The system auths of all Runtimes, found by the token that each was given. */
export class OneTimeTokens {
  readonly #auths = new Map<string, SystemAuth>();
  readonly #byToken = new Map<string, SystemAuth>();
  readonly #byRuntime = new Map<string, Set<SystemAuth>>();

  /** Every token without a system auth of its own adds one. Undefined: that system auth does not exist. */
  issue(runtimeId: string, systemAuthId?: string): SystemAuth | undefined {
    const auth = systemAuthId === undefined ? this.#add(runtimeId) : this.#auths.get(systemAuthId);
    if (!auth || auth.runtimeId !== runtimeId) return undefined;
    const now = Date.now();
    auth.token = {
      value: randomBytes(64).toString('base64url'),
      createdAt: now,
      expiresAt: now + lifetimeMilliseconds,
      usedAt: undefined,
    };
    this.#byToken.set(auth.token.value, auth);
    return auth;
  }

  /** Burns the token with its first use, whatever becomes of the exchange. Undefined: unknown, used or expired. */
  use(value: string): SystemAuth | undefined {
    const auth = this.#byToken.get(value);
    const token = auth?.token;
    if (!token || token.value !== value || token.usedAt !== undefined || token.expiresAt < Date.now()) return undefined;
    token.usedAt = Date.now();
    return auth;
  }

  ofRuntime(runtimeId: string): SystemAuth[] {
    return [...(this.#byRuntime.get(runtimeId) ?? [])];
  }

  find(id: string): SystemAuth | undefined {
    return this.#auths.get(id);
  }

  remove(auth: SystemAuth): void {
    this.#auths.delete(auth.id);
    this.#byRuntime.get(auth.runtimeId)?.delete(auth);
    for (const [value, owner] of this.#byToken) if (owner === auth) this.#byToken.delete(value);
  }

  removeRuntime(runtimeId: string): void {
    for (const auth of this.ofRuntime(runtimeId)) this.remove(auth);
    this.#byRuntime.delete(runtimeId);
  }

  #add(runtimeId: string): SystemAuth {
    const auth: SystemAuth = { id: randomUUID(), runtimeId, token: undefined, certCommonName: undefined };
    this.#auths.set(auth.id, auth);
    let ofRuntime = this.#byRuntime.get(runtimeId);
    if (!ofRuntime) {
      ofRuntime = new Set();
      this.#byRuntime.set(runtimeId, ofRuntime);
    }
    ofRuntime.add(auth);
    return auth;
  }
}
