// Loaded into a replica before anything else (`node --import`). It writes down what the replica sends to the outside
// world at the moment of sending, which no server can tell of a process that is killed or frozen, tells every server
// which process is asking, and may set its clock off.

import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';
import type { SentRequest } from './history.ts';
import { senderHeader } from './sender-header.ts';

/** A request as undici tells of it when its head goes to the socket. */
interface SentMessage {
  readonly request: {
    readonly method: string;
    readonly origin: string | URL;
    readonly path: string;
    readonly body?: unknown;
  };
}

interface CreatedMessage {
  readonly request: { addHeader(name: string, value: string): void };
}

const file = process.env.CHAOS_REQUEST_LOG;
const realNow = Date.now.bind(Date);
const longestBody = 100_000;

if (file !== undefined) {
  subscribe('undici:client:sendHeaders', (message) => {
    const { method, origin, path, body } = (message as SentMessage).request;
    if (method === 'GET') return;
    const sent: SentRequest = {
      at: realNow(),
      process: process.pid,
      method,
      url: `${String(origin)}${path}`,
      ...namesIn(body),
    };
    appendFileSync(file, `${JSON.stringify(sent)}\n`);
  });
}

subscribe('undici:request:create', (message) => {
  (message as CreatedMessage).request.addHeader(senderHeader, String(process.pid));
});

// Nobody is left to end it when the run itself is killed.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
}, 1_000).unref();

shiftClock(Number(process.env.CHAOS_CLOCK_OFFSET ?? 0));

/** Only what tells whose object is written: a body may hold secrets. */
function namesIn(body: unknown): Pick<SentRequest, 'name' | 'mutation' | 'ids'> {
  if (!Buffer.isBuffer(body) || body.length > longestBody) return {};
  const text = body.toString();
  try {
    const { metadata, cluster, query, variables } = JSON.parse(text);
    const name = metadata?.name ?? cluster?.name;
    const mutation = typeof query === 'string' ? /^mutation \w+[^{]*\{\s*result: (\w+)/.exec(query)?.[1] : undefined;
    return {
      ...(typeof name === 'string' && { name }),
      ...(mutation !== undefined && { mutation, ids: Object.values(variables ?? {}).filter(isId) }),
    };
  } catch {
    return {};
  }
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(value);
}

/** The whole process sees another time of day; how long something takes is measured by another clock. */
function shiftClock(offset: number): void {
  if (offset === 0) return;
  const RealDate = Date;
  const shifted = new Proxy(RealDate, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [realNow() + offset] : args, newTarget),
    apply: () => new RealDate(realNow() + offset).toString(),
    get: (target, name, receiver) => (name === 'now' ? () => realNow() + offset : Reflect.get(target, name, receiver)),
  });
  globalThis.Date = shifted;
}
