import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Stretch } from './history.ts';

interface ReplicaOptions {
  /** `http://127.0.0.1:<port>`; the same whenever it is started again. */
  readonly origin: string;
  /** What all its processes write, one after the other. */
  readonly logFile: string;
  readonly environment: Readonly<Record<string, string>>;
}

const main = fileURLToPath(import.meta.resolve('../../src/main.ts'));
const preload = import.meta.resolve('./replica-preload.ts');

/**
 * A place for a process of the service, which is killed and started again.
 *
 * `down → starting → working → (frozen → working)* → down`
 */
export class ReplicaProcess {
  readonly origin: string;
  /** When each of its processes was at work. */
  readonly worked: Stretch[] = [];
  readonly #options: ReplicaOptions;
  #child: ChildProcess | undefined;
  #workingSince: number | undefined;

  constructor(options: ReplicaOptions) {
    this.#options = options;
    this.origin = options.origin;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  get working(): boolean {
    return this.#workingSince !== undefined;
  }

  /** Resolves once it is ready. Throws when it ends before that without having been told to. */
  async start(): Promise<void> {
    await this.ready(this.launch());
  }

  /** Begins to start, and does not wait. */
  launch(): ChildProcess {
    const { environment, logFile, origin } = this.#options;
    const log = openSync(logFile, 'a');
    const inherited = ['PATH', 'HOME', 'NODE_COMPILE_CACHE', 'PROVISIONER_TEST_FILE'];
    const child = spawn(process.execPath, ['--import', preload, main], {
      env: {
        ...Object.fromEntries(inherited.map((name) => [name, process.env[name]])),
        APP_ADDRESS: new URL(origin).host,
        APP_METRICS_ADDRESS: '127.0.0.1:0',
        APP_LOG_LEVEL: 'info',
        APP_SHUTDOWN_DELAY: '1s',
        ...environment,
      },
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    this.#child = child;
    return child;
  }

  async ready(child: ChildProcess): Promise<void> {
    while (child.exitCode === null && child.signalCode === null) {
      const answer = await fetch(`${this.origin}/readyz`, { signal: AbortSignal.timeout(2_000) }).catch(
        () => undefined,
      );
      if (answer?.ok) {
        this.#workingSince = Date.now();
        return;
      }
      await pause(50);
    }
    if (child.signalCode === null) {
      throw new Error(`${this.origin} ended with ${child.exitCode} before it was ready; see ${this.#options.logFile}`);
    }
  }

  /** kill -9 */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** As Kubernetes ends a pod: kill -9 after 30 s. */
  async stop(): Promise<void> {
    const timer = setTimeout(() => this.#child?.kill('SIGKILL'), 30_000);
    await this.#end('SIGTERM');
    clearTimeout(timer);
  }

  freeze(): void {
    this.#rest();
    this.#child?.kill('SIGSTOP');
  }

  thaw(): void {
    this.#child?.kill('SIGCONT');
    this.#workingSince = Date.now();
  }

  /** Ends the account of when it was at work. */
  close(): void {
    this.#rest();
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    this.#rest();
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  #rest(): void {
    if (this.#workingSince !== undefined) {
      this.worked.push({ process: this.pid, from: this.#workingSince, to: Date.now() });
    }
    this.#workingSince = undefined;
  }
}
