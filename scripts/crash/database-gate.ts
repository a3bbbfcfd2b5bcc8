import net, { type AddressInfo } from 'node:net';

/** A round trip to the database that is held, at one of two moments: nothing was sent yet, or all is done and nothing answered. */
export interface HeldStatement {
  readonly moment: 'arrived' | 'carried-out';
  readonly name: string;
  readonly text: string;
  /** With the statement's values in it. */
  readonly bytes: Buffer;
}

/** Holds a statement for as long as it likes; false breaks the connection. */
type StatementKeeper = (statement: HeldStatement) => Promise<boolean>;

interface DatabaseGateOptions {
  readonly target: { readonly host: string; readonly port: number };
  readonly keeper: StatementKeeper;
}

/** What one process speaks to its database through. */
export class DatabaseGate {
  readonly #options: DatabaseGateOptions;
  readonly #server: net.Server;
  readonly #sockets = new Set<net.Socket>();

  constructor(options: DatabaseGateOptions) {
    this.#options = options;
    this.#server = net.createServer((client) => this.#serve(client));
  }

  /** Answers its port on 127.0.0.1. */
  async open(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return (this.#server.address() as AddressInfo).port;
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  #serve(client: net.Socket): void {
    const upstream = net.connect(this.#options.target);
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      this.#sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => {});
      socket.on('close', () => {
        this.#sockets.delete(socket);
        end();
      });
    }
    new Connection({ client, upstream, keeper: this.#options.keeper, end });
  }
}

const sync = 'S'.charCodeAt(0);
const parse = 'P'.charCodeAt(0);
const bind = 'B'.charCodeAt(0);
const readyForQuery = 'Z'.charCodeAt(0);

interface ConnectionParts {
  readonly client: net.Socket;
  readonly upstream: net.Socket;
  readonly keeper: StatementKeeper;
  /** Breaks both ends. */
  readonly end: () => void;
}

/** One connection, in PostgreSQL's protocol. Its client sends nothing before the round trip before is answered. */
class Connection {
  readonly #parts: ConnectionParts;
  readonly #texts = new Map<string, string>();
  #unread = Buffer.alloc(0);
  #begun = false;
  #trip: Buffer[] = [];
  #statement: { name: string; text: string } | undefined;
  #answer: { held: HeldStatement; bytes: Buffer[] } | undefined;

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
    parts.client.on('data', (bytes: Buffer) => this.#fromClient(bytes));
    parts.upstream.on('data', (bytes: Buffer) => this.#fromServer(bytes));
  }

  #fromClient(bytes: Buffer): void {
    this.#unread = Buffer.concat([this.#unread, bytes]);
    for (;;) {
      // The very first message has no type.
      const head = this.#begun ? 1 : 0;
      if (this.#unread.length < head + 4) return;
      const end = head + this.#unread.readUInt32BE(head);
      if (this.#unread.length < end) return;
      const message = this.#unread.subarray(0, end);
      this.#unread = this.#unread.subarray(end);
      if (this.#begun) this.#take(message);
      else this.#parts.upstream.write(message);
      this.#begun = true;
    }
  }

  #take(message: Buffer): void {
    const [type] = message;
    if (type === parse) {
      const [name = '', text = ''] = textsAt(message, 5);
      this.#texts.set(name, text);
    }
    if (type === bind) {
      const [, name = ''] = textsAt(message, 5);
      this.#statement = { name, text: this.#texts.get(name) ?? '' };
    }
    this.#trip.push(message);
    const isWhole = type === sync || this.#statement === undefined;
    if (isWhole) void this.#send().catch(() => this.#parts.end());
  }

  async #send(): Promise<void> {
    const bytes = Buffer.concat(this.#trip);
    const statement = this.#statement;
    this.#trip = [];
    this.#statement = undefined;
    if (statement === undefined) return void this.#parts.upstream.write(bytes);
    const held: HeldStatement = { ...statement, bytes, moment: 'arrived' };
    if (!(await this.#parts.keeper(held))) return this.#parts.end();
    this.#answer = { held: { ...held, moment: 'carried-out' }, bytes: [] };
    this.#parts.upstream.write(bytes);
  }

  #fromServer(bytes: Buffer): void {
    const answer = this.#answer;
    if (answer === undefined) return void this.#parts.client.write(bytes);
    answer.bytes.push(bytes);
    const all = Buffer.concat(answer.bytes);
    if (!isComplete(all)) return;
    this.#answer = undefined;
    const release = async () => {
      if (await this.#parts.keeper(answer.held)) this.#parts.client.write(all);
      else this.#parts.end();
    };
    void release().catch(() => this.#parts.end());
  }
}

/** Its last message says that the server waits for the next round trip. */
function isComplete(answer: Buffer): boolean {
  for (let at = 0; at + 5 <= answer.length; ) {
    const next = at + 1 + answer.readUInt32BE(at + 1);
    if (answer[at] === readyForQuery && next === answer.length) return true;
    at = next;
  }
  return false;
}

/** The texts from there on, each of which ends with a zero; only the first two count. */
function textsAt(message: Buffer, from: number): readonly string[] {
  const end = message.indexOf(0, from);
  return [message.toString('utf8', from, end), message.toString('utf8', end + 1, message.indexOf(0, end + 1))];
}
