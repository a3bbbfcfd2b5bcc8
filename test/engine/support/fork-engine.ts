import { type ChildProcess, fork } from 'node:child_process';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { DatabaseSettings } from '../../../src/db/database.ts';
import { eventually } from '../../harness/eventually.ts';
import type { ProcessNews, ProcessOrders } from './engine-process.ts';

const program = fileURLToPath(new URL('./engine-process.ts', import.meta.url));
const children = new Set<ChildProcess>();
after(() => {
  for (const child of children) child.kill('SIGKILL');
});

export interface EngineProcess {
  readonly news: readonly ProcessNews[];
  /** Resolves when it has told of this event. */
  hears(event: string, stage?: string): Promise<ProcessNews>;
  /** Lets the stage that holds go on. */
  letGo(): void;
  signal(name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void;
  /** The signal that ended it. */
  readonly ended: Promise<string | null>;
}

/** Starts an engine in a process of its own; killed when the file ends. */
export async function forkEngine(options: {
  readonly settings: DatabaseSettings;
  readonly orders: Omit<ProcessOrders, 'settings'>;
}): Promise<EngineProcess> {
  const settings = { ...options.settings, password: options.settings.password.reveal() };
  const orders: ProcessOrders = { ...options.orders, settings };
  const child = fork(program, {
    env: {
      ...process.env,
      NODE_TEST_CONTEXT: undefined,
      TEST_ENGINE_ORDERS: JSON.stringify(orders),
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  children.add(child);
  const ended = new Promise<string | null>((resolve) => child.once('exit', (_, signal) => resolve(signal)));
  const news: ProcessNews[] = [];
  child.on('message', (message) => news.push(message as ProcessNews));
  const hears = (event: string, stage?: string) =>
    eventually(`the process to tell of ${event}`, () =>
      news.find((each) => each.event === event && (stage === undefined || each.stage === stage)),
    );
  await hears('started');
  return { news, hears, ended, letGo: () => child.send('go on'), signal: (name) => child.kill(name) };
}
