// Sends the same request again and again over kept-alive connections, one at a time on each, and reports how fast the
// answers came. A process of its own, so that it does not share a thread with what it measures. It sends prepared bytes
// and reads no more of an answer than where it ends; every answer must be, byte for byte, the body of the first.
// Started by `LoadGenerator`; it is given a `Load` on its standard input and prints a `Measured`.
import net from 'node:net';
import { text } from 'node:stream/consumers';
import { percentile } from './percentile.ts';

export interface Load {
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly connections: number;
  readonly warmUpSeconds: number;
  readonly seconds: number;
}

/** Times in milliseconds. */
export interface Measured {
  /** All that were given, those of the warm-up too. */
  readonly answers: number;
  /** Processor time that asking took, in all. */
  readonly cpuSeconds: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  readonly answerBytes: number;
}

const headEnd = Buffer.from('\r\n\r\n');

if (import.meta.main) {
  const load = JSON.parse(await text(process.stdin)) as Load;
  console.log(JSON.stringify(await generate(load)));
  process.exit();
}

async function generate(load: Load): Promise<Measured> {
  const request = requestBytes(load);
  const times: number[] = [];
  let answers = 0;
  let expected: Buffer | undefined;
  const begin = performance.now() + load.warmUpSeconds * 1_000;
  const end = begin + load.seconds * 1_000;
  const { promise: failed, reject } = Promise.withResolvers<never>();
  const sockets = Array.from({ length: load.connections }, () => net.connect(load.port, '127.0.0.1'));
  for (const socket of sockets) {
    let received: Buffer = Buffer.alloc(0);
    let sentAt = 0;
    const send = () => {
      sentAt = performance.now();
      socket.write(request);
    };
    socket.setNoDelay(true);
    socket.on('connect', send);
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the server closed a connection')));
    socket.on('data', (chunk: Buffer) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      const body = wholeBody(received);
      if (!body) return;
      const now = performance.now();
      answers += 1;
      if (sentAt >= begin && now <= end) times.push(now - sentAt);
      received = Buffer.alloc(0);
      expected ??= Buffer.from(body);
      if (!expected.equals(body)) reject(new Error(`answers differ: ${expected} and ${body}`));
      send();
    });
  }
  const { promise: over, resolve } = Promise.withResolvers<void>();
  setTimeout(resolve, end - performance.now());
  await Promise.race([failed, over]);
  if (times.length === 0) throw new Error('no answer came in time');
  const { user, system } = process.cpuUsage();
  return {
    perSecond: times.length / load.seconds,
    p50: percentile(times, 50),
    p99: percentile(times, 99),
    max: times.reduce((most, time) => Math.max(most, time), 0),
    answers,
    cpuSeconds: (user + system) / 1e6,
    answerBytes: expected?.length ?? 0,
  };
}

function requestBytes({ port, path, headers, body }: Load): Buffer {
  const all = { host: `127.0.0.1:${port}`, 'content-length': String(Buffer.byteLength(body)), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
}

/** The body of an answer that is there in full; throws for an answer that is not 200. */
function wholeBody(received: Buffer): Buffer | undefined {
  const headLength = received.indexOf(headEnd);
  if (headLength < 0) return undefined;
  const head = received.toString('latin1', 0, headLength);
  if (!head.startsWith('HTTP/1.1 200 ')) throw new Error(`unexpected answer: ${received}`);
  const [, length] = /\r\ncontent-length: (\d+)/i.exec(head) ?? [];
  if (length === undefined) throw new Error(`an answer without content-length: ${head}`);
  const begin = headLength + headEnd.length;
  return received.length < begin + Number(length) ? undefined : received.subarray(begin, begin + Number(length));
}
