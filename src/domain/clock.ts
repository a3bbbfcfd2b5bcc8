/** Where the time comes from, in milliseconds since the epoch. Injected, so that a test can hold it. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };
