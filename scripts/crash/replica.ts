import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(import.meta.resolve('../../src/main.ts'));
const preload = import.meta.resolve('../chaos/replica-preload.ts');

/** One process of the service, on ports of its own. */
export class Replica {
  readonly pid: number;
  readonly logFile: string;
  readonly #child: ChildProcess;

  constructor({ logFile, environment }: { logFile: string; environment: Readonly<Record<string, string>> }) {
    this.logFile = logFile;
    const log = openSync(logFile, 'w');
    const inherited = ['PATH', 'HOME', 'NODE_COMPILE_CACHE', 'PROVISIONER_TEST_FILE'];
    this.#child = spawn(process.execPath, ['--import', preload, main], {
      env: {
        ...Object.fromEntries(inherited.map((name) => [name, process.env[name]])),
        ...{ APP_ADDRESS: '127.0.0.1:0', APP_METRICS_ADDRESS: '127.0.0.1:0', APP_SHUTDOWN_DELAY: '0s' },
        ...environment,
      },
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    if (this.#child.pid === undefined) throw new Error('the service was not started');
    this.pid = this.#child.pid;
  }

  get ended(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** The GraphQL endpoint, if it is ready. */
  async endpoint(): Promise<string | undefined> {
    const { url, endpoint } = this.#up();
    const answer = url === undefined ? undefined : await fetch(`${url}/readyz`).catch(() => undefined);
    return answer?.ok ? `${url}${endpoint}` : undefined;
  }

  /** kill -9 */
  async kill(): Promise<void> {
    if (this.ended) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }

  #up(): { url?: string; endpoint?: string } {
    const line = /^\{.*"service is up".*\}$/m.exec(readFileSync(this.logFile, 'utf8'))?.[0];
    return line === undefined ? {} : JSON.parse(line);
  }
}
