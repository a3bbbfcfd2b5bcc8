import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The service as a process of its own, as it runs in production; its log goes to a file. */
export interface ServiceProcess {
  readonly pid: number;
  readonly exited: Promise<number>;
  stop(): Promise<void>;
}

/** Resolves once `/readyz` of `origin` answers 200; throws when the process ends before. */
export async function startService({
  environment,
  origin,
  logFile,
}: {
  environment: NodeJS.ProcessEnv;
  origin: string;
  logFile: string;
}): Promise<ServiceProcess> {
  const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
  const child = spawn(process.execPath, [main], {
    // Nobody is in front of it who would have to turn away.
    env: { APP_SHUTDOWN_DELAY: '0s', ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Ctrl-C reaches the whole foreground group; in a group of its own the service is stopped by us, in order.
    detached: true,
  });
  const log = createWriteStream(logFile);
  child.stdout.pipe(log);
  child.stderr.pipe(log);
  const exited = once(child, 'exit').then(([code]) => Number(code ?? 1));
  await waitUntilReady(child, origin, logFile);
  if (child.pid === undefined) throw new Error('the service was not started');
  return {
    pid: child.pid,
    exited,
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

async function waitUntilReady(child: ChildProcess, origin: string, logFile: string): Promise<void> {
  while (child.exitCode === null) {
    const ready = await fetch(`${origin}/readyz`).catch(() => undefined);
    if (ready?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`the service ended with ${child.exitCode} before it was ready; its log is ${logFile}`);
}
