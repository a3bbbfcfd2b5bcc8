import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { atEnd } from '../../harness/at-end.ts';
import { eventually } from '../../harness/eventually.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';

const script = fileURLToPath(new URL('../../../scripts/demo.ts', import.meta.url));
const mark = 'DEMO_UNDER_TEST';

/** `scripts/demo.ts` as a terminal runs it: in a process group of its own, with its files in a folder of its own. */
export class DemoProcess {
  /** The exit code; undefined when a signal ended it. */
  readonly exited: Promise<number | undefined>;
  readonly #child: ChildProcess;
  readonly #folder = temporaryFolder();
  readonly #mark = crypto.randomUUID();
  #written = '';

  constructor(options: readonly string[]) {
    this.#child = spawn(process.execPath, [script, ...options], {
      cwd: this.#folder,
      env: { ...process.env, [mark]: this.#mark },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#written += text;
      });
    }
    this.exited = once(this.#child, 'close').then(([code]) => code ?? undefined);
    atEnd(async () => {
      for (const pid of this.processes()) process.kill(pid, 'SIGKILL');
    });
  }

  get written(): string {
    return this.#written;
  }

  /** Fails with what it wrote when it ends before it has written this. */
  async waitForText(text: string): Promise<void> {
    let ended = false;
    void this.exited.then(() => {
      ended = true;
    });
    await eventually(`the demo to write "${text}", or to end`, () => ended || this.#written.includes(text), {
      within: 60_000,
    });
    if (!this.#written.includes(text)) throw new Error(`the demo ended without "${text}":\n${this.#written}`);
  }

  /** To the whole group, as a terminal sends it. */
  signal(name: 'SIGINT' | 'SIGHUP'): void {
    process.kill(-(this.#child.pid ?? 0), name);
  }

  /** What runs now of the demo: itself, the service and PostgreSQL. Needs /proc. */
  processes(): readonly number[] {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && this.#isPart(name))
      .map(Number);
  }

  /** PostgreSQL gets a clean environment; its command line names its data. */
  #isPart(pid: string): boolean {
    try {
      if (readFileSync(path.join('/proc', pid, 'environ'), 'utf8').includes(`${mark}=${this.#mark}`)) return true;
      return readFileSync(path.join('/proc', pid, 'cmdline'), 'utf8').includes(this.#folder);
    } catch {
      return false; // It has ended.
    }
  }
}
