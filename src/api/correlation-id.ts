import type { IncomingHttpHeaders } from 'node:http';

/** An incoming id is taken over when it cannot do harm in a log. */
const harmless = /^[\w.-]{1,64}$/;

/** Names a request in the log and in masked errors: the caller's own id, or a new one. */
export function correlationIdOf(headers: IncomingHttpHeaders): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && harmless.test(given) ? given : crypto.randomUUID();
}
