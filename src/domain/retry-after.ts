import { readPath } from './json.ts';

/** Nobody is kept from asking for longer than that. */
const longest = 120_000;
/** No odd answer silences us for longer. */
const longestSaid = 60_000;

/** The header `Retry-After`, which holds seconds or a date, in milliseconds: a minute at most. */
export function readRetryAfter(header: string | readonly string[] | undefined): number | undefined {
  const text = typeof header === 'string' ? header : header?.[0];
  if (!text) return undefined;
  const seconds = /^\d+$/.test(text.trim()) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds * 1000, 0), longestSaid);
}

/** In how many milliseconds whoever was asked wants to be asked again, when the error, or its cause, says so. */
export function retryAfterOf(error: unknown): number | undefined {
  for (const said of [error, error instanceof Error ? error.cause : undefined]) {
    const found = said instanceof Error ? readPath({ ...said }, 'retryAfterMilliseconds') : undefined;
    if (typeof found === 'number' && found >= 0) return Math.min(found, longest);
  }
  return undefined;
}
