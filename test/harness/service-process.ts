import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { after } from 'node:test';
import { eventually } from './eventually.ts';
import type { TestDatabaseSettings } from './postgres.ts';

/** One line of the service's log. */
export type LogLine = Readonly<Record<string, unknown>> & { readonly level?: string; readonly msg?: string };

/** How it is started when not from this checkout by this user. */
export interface Launch {
  /** A copy of the project. */
  readonly directory: string;
  /** The Node to run it with, and what follows. */
  readonly command: readonly [string, ...string[]];
  readonly account: { readonly uid: number; readonly gid: number } | undefined;
}

const running = new Set<ServiceProcess>();

after(async () => {
  await Promise.all([...running].map((service) => service.kill()));
});

/** The real service in a process of its own, on ports of its own. Killed when the test file ends. */
export class ServiceProcess {
  readonly exited: Promise<number>;
  readonly #child: ChildProcess;
  #written = '';

  /** Starts `src/main.ts` with nothing in its environment but what is given, and defaults for tests. */
  constructor(environment: Readonly<Record<string, string>>, launch?: Launch) {
    const inherited = ['PATH', 'HOME', 'NODE_COMPILE_CACHE', 'PROVISIONER_TEST_FILE'];
    const [program, ...args] = launch?.command ?? [process.execPath, 'src/main.ts'];
    this.#child = spawn(program, args, {
      ...(launch && { cwd: launch.directory, ...launch.account }),
      env: {
        ...Object.fromEntries(inherited.map((name) => [name, process.env[name]])),
        APP_ADDRESS: '127.0.0.1:0',
        APP_METRICS_ADDRESS: '127.0.0.1:0',
        APP_LOG_LEVEL: 'debug',
        APP_SHUTDOWN_DELAY: '0s',
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#written += text;
      });
    }
    this.exited = once(this.#child, 'close').then(([code]) => {
      running.delete(this);
      return Number(code ?? -1);
    });
    running.add(this);
  }

  get pid(): number {
    if (this.#child.pid === undefined) throw new Error('the service was not started');
    return this.#child.pid;
  }

  /** `http://127.0.0.1:<port>`, once it listens. */
  get origin(): string {
    const { url } = this.#up();
    if (typeof url !== 'string') throw new Error('the service does not listen yet');
    return url;
  }

  /** The GraphQL endpoint, once it listens. */
  get endpoint(): string {
    return `${this.origin}${String(this.#up().endpoint)}`;
  }

  /** Where `/metrics` is, once it listens. */
  get metrics(): string {
    return `http://127.0.0.1:${String(this.#up().metricsPort)}/metrics`;
  }

  /** All that it has written so far, for the search for what must not be there. */
  get written(): string {
    return this.#written;
  }

  /** What it has logged so far. */
  get log(): readonly LogLine[] {
    return this.#written.split('\n').flatMap((line) => {
      try {
        return line.startsWith('{') ? [JSON.parse(line) as LogLine] : [];
      } catch {
        return []; // A line that is still being written.
      }
    });
  }

  waitForLog(what: string, matches: (line: LogLine) => boolean): Promise<LogLine> {
    return eventually(`the service to log ${what}`, () => this.log.find(matches));
  }

  /** Until `/readyz` answers 200. Throws what the service wrote when it ends before that. */
  async waitUntilReady(): Promise<void> {
    let ended = false;
    void this.exited.then(() => {
      ended = true;
    });
    await eventually('the service to be ready, or to end', async () => ended || (await this.#isReady()));
    if (ended) throw new Error(`the service ended before it was ready:\n${this.#written}`);
  }

  /** As Kubernetes ends a pod; answers the exit code. */
  async stop(): Promise<number> {
    this.#child.kill('SIGTERM');
    return this.exited;
  }

  /** kill -9 */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.exited;
  }

  /** SIGSTOP: it hangs, and keeps its connections. */
  freeze(): void {
    this.#child.kill('SIGSTOP');
  }

  /** SIGCONT */
  thaw(): void {
    this.#child.kill('SIGCONT');
  }

  async #isReady(): Promise<boolean> {
    const { ok } = await fetch(`${this.origin}/readyz`);
    return ok;
  }

  #up(): LogLine {
    return this.log.find(({ msg }) => msg === 'service is up') ?? {};
  }
}

/** A service that is ready to work. */
export async function startServiceProcess(environment: Readonly<Record<string, string>>): Promise<ServiceProcess> {
  const service = new ServiceProcess(environment);
  await service.waitUntilReady();
  return service;
}

/** The variables for a database of the harness, with a key that replicas on it share. */
export function databaseEnvironment(settings: TestDatabaseSettings): Record<string, string> {
  return {
    APP_DATABASE_HOST: settings.host,
    APP_DATABASE_PORT: String(settings.port),
    APP_DATABASE_USER: settings.user,
    APP_DATABASE_PASSWORD: settings.password.reveal(),
    APP_DATABASE_NAME: settings.name,
    APP_DATABASE_SSL_MODE: settings.sslMode,
    APP_DATABASE_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  };
}
