/** Where an API takes the time from, in milliseconds since the epoch. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** A time as Kubernetes writes it: RFC 3339, whole seconds. */
export function kubernetesTime(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}
