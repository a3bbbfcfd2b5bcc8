import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { HeldRequest } from '../../landscape/control/gate.ts';
import type { Landscape } from '../../landscape/landscape.ts';
import { senderHeader } from '../chaos/sender-header.ts';
import { DatabaseGate, type HeldStatement } from './database-gate.ts';
import { effectOf, effectOfStatement } from './effects.ts';
import type { Place, Places } from './places.ts';
import { Replica } from './replica.ts';
import type { HeldOperation, Stored } from './stored.ts';

/** How to reach a database of its own. */
export interface DatabaseAddress {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

interface FleetOptions {
  readonly landscape: Landscape;
  readonly database: DatabaseAddress;
  readonly stored: Stored;
  readonly places: Places;
  readonly size: number;
  /** What each replica writes goes there. */
  readonly directory: string;
  readonly signal: AbortSignal;
}

interface Member {
  readonly replica: Replica;
  readonly gate: DatabaseGate;
}

/**
 * Replicas of the service, each of which is killed where `places` say: it has something to do with an operation that is
 * its own, and either nothing of that has happened yet, or all of it and the process does not know. Another replica is
 * started for each that dies.
 */
export class Fleet {
  readonly #options: FleetOptions;
  readonly #members = new Map<number, Member>();
  /** What is to be killed after, by the headers of the request or the statement's bytes. */
  readonly #awaited = new WeakMap<object, Place>();
  #started = 0;
  #trouble: unknown;
  #lastDeath = performance.now();

  constructor(options: FleetOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    this.#options.landscape.control.keepGate((request) => this.#keepRequest(request));
    await Promise.all(Array.from({ length: this.#options.size }, () => this.#startOne()));
    while ((await this.#endpoints()).length < this.#options.size) await this.#pause();
  }

  /** Of one that is ready. */
  async endpoint(): Promise<string> {
    for (;;) {
      const [first] = await this.#endpoints();
      if (first !== undefined) return first;
      await this.#pause();
    }
  }

  /** For so long nobody was killed, in milliseconds. Throws what went wrong. */
  quietFor(): number {
    for (const [pid, { replica }] of this.#members) {
      if (replica.ended) throw new Error(`replica ${pid} ended by itself; see ${replica.logFile}`);
    }
    if (this.#trouble !== undefined) throw this.#trouble;
    return performance.now() - this.#lastDeath;
  }

  async stop(): Promise<void> {
    this.#options.landscape.control.keepGate(undefined);
    const members = [...this.#members.values()];
    this.#members.clear();
    for (const { gate } of members) gate.close();
    await Promise.all(members.map(({ replica }) => replica.kill()));
  }

  async #endpoints(): Promise<readonly string[]> {
    const answers = await Promise.all([...this.#members.values()].map(({ replica }) => replica.endpoint()));
    return answers.filter((endpoint) => endpoint !== undefined);
  }

  async #pause(): Promise<void> {
    this.quietFor();
    await pause(20, undefined, { signal: this.#options.signal });
  }

  async #startOne(): Promise<void> {
    const { landscape, database, directory } = this.#options;
    this.#started += 1;
    const logFile = path.join(directory, `replica-${this.#started}.log`);
    let pid = 0;
    const gate = new DatabaseGate({ target: database, keeper: (held) => this.#keepStatement(pid, held) });
    const port = await gate.open();
    const environment = {
      ...landscape.environment,
      ...{ APP_DATABASE_HOST: '127.0.0.1', APP_DATABASE_PORT: String(port), APP_DATABASE_NAME: database.database },
      ...{ APP_DATABASE_USER: database.user, APP_DATABASE_PASSWORD: database.password },
      APP_DATABASE_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    };
    const replica = new Replica({ environment, logFile });
    pid = replica.pid;
    this.#members.set(pid, { replica, gate });
  }

  async #keepRequest(request: HeldRequest): Promise<boolean> {
    const effect = effectOf(request);
    const pid = Number(request.headers[senderHeader] ?? 0);
    if (effect === undefined || pid === 0) return true;
    return this.#keep(pid, { ...request, key: request.headers, effect });
  }

  async #keepStatement(pid: number, statement: HeldStatement): Promise<boolean> {
    const effect = effectOfStatement(statement);
    if (effect === undefined) return true;
    const { bytes, moment } = statement;
    const isAbout = ({ id, runtimeId }: HeldOperation) => bytes.includes(id) || bytes.includes(runtimeId);
    return this.#keep(pid, { key: bytes, effect, moment, isAbout });
  }

  /** False when its process was killed for it. */
  async #keep(
    pid: number,
    held: {
      readonly key: object;
      readonly effect: string;
      readonly moment: 'arrived' | 'carried-out';
      readonly isAbout?: (operation: HeldOperation) => boolean;
    },
  ): Promise<boolean> {
    const { key, effect, moment, isAbout = () => true } = held;
    const { places, stored } = this.#options;
    if (moment === 'carried-out') {
      const place = this.#awaited.get(key);
      this.#awaited.delete(key);
      return place === undefined || !(await this.#kill(pid, place));
    }
    // What a process sent before it died may still have its effect.
    if (!this.#members.has(pid)) return true;
    const operation = await stored.operationOf(pid);
    if (operation === undefined || !isAbout(operation) || !this.#members.has(pid)) return true;
    const place = places.take(operation, effect);
    if (place?.startsWith('before')) return !(await this.#kill(pid, place));
    if (place !== undefined) this.#awaited.set(key, place);
    return true;
  }

  /** Answers whether it lived until now. */
  async #kill(pid: number, place: Place): Promise<boolean> {
    const { places } = this.#options;
    const member = this.#members.get(pid);
    if (member === undefined) {
      places.giveBack(place);
      return false;
    }
    this.#members.delete(pid);
    places.use(place);
    this.#lastDeath = performance.now();
    await member.replica.kill();
    this.#replace(pid, member).catch((error: unknown) => {
      this.#trouble ??= error;
    });
    return true;
  }

  async #replace(pid: number, { gate }: Member): Promise<void> {
    gate.close();
    await this.#options.stored.giveUp(pid);
    await this.#startOne();
  }
}
