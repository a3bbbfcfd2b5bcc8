import { readPath } from './json.ts';

/** Nobody is kept from asking for longer than that. */
const longest = 120_000;

/** In how many milliseconds whoever was asked wants to be asked again, when the error, or its cause, says so. */
export function retryAfterOf(error: unknown): number | undefined {
  for (const said of [error, error instanceof Error ? error.cause : undefined]) {
    const found = said instanceof Error ? readPath({ ...said }, 'retryAfterMilliseconds') : undefined;
    if (typeof found === 'number' && found >= 0) return Math.min(found, longest);
  }
  return undefined;
}
