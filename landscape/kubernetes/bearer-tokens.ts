import { randomBytes } from 'node:crypto';
import type { Clock } from './clock.ts';
import type { User } from './resource-type.ts';

/** The bearer tokens that one API accepts. */
export class BearerTokens {
  readonly #clock: Clock;
  readonly #tokens = new Map<string, { readonly user: User; readonly expiresAt: number }>();
  #elsewhere: (token: string) => User | undefined = () => undefined;

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

  /** Tokens that somebody else gave out are good here, too. */
  trust(identify: (token: string) => User | undefined): void {
    this.#elsewhere = identify;
  }

  revoke(token: string): void {
    this.#tokens.delete(token);
  }

  /** Whose token it is; undefined when it is unknown, revoked or expired. */
  authenticate(token: string): User | undefined {
    const entry = this.#tokens.get(token);
    if (entry === undefined) return this.#elsewhere(token);
    if (entry.expiresAt > this.#clock.now()) return entry.user;
    this.#tokens.delete(token);
    return undefined;
  }
}
