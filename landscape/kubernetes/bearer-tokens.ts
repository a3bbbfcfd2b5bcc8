import { randomBytes } from 'node:crypto';
import type { Clock } from './clock.ts';
import type { User } from './resource-type.ts';

/** The bearer tokens that one API accepts. */
export class BearerTokens {
  readonly #clock: Clock;
  readonly #tokens = new Map<string, { readonly user: User; readonly expiresAt: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A new token; without `lifetimeSeconds` it never expires. */
  issue({ user, lifetimeSeconds }: { user: User; lifetimeSeconds?: number | undefined }): string {
    const token = randomBytes(32).toString('base64url');
    const expiresAt =
      lifetimeSeconds === undefined ? Number.POSITIVE_INFINITY : this.#clock.now() + lifetimeSeconds * 1000;
    this.#tokens.set(token, { user, expiresAt });
    return token;
  }

  revoke(token: string): void {
    this.#tokens.delete(token);
  }

  /** Whose token it is; undefined when it is unknown, revoked or expired. */
  authenticate(token: string): User | undefined {
    const entry = this.#tokens.get(token);
    if (entry === undefined) return undefined;
    if (entry.expiresAt > this.#clock.now()) return entry.user;
    this.#tokens.delete(token);
    return undefined;
  }
}
