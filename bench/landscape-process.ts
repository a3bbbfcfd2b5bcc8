import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export interface LandscapeProcess {
  /** What the service needs to find it. */
  readonly environment: Record<string, string>;
  /** Of its control API. */
  readonly control: string;
  readonly pid: number;
  stop(): void;
}

/** The landscape as a process of its own, without any waiting of its own; it writes into `folder`. */
export async function startLandscapeProcess(folder: string): Promise<LandscapeProcess> {
  const main = fileURLToPath(new URL('../landscape/main.ts', import.meta.url));
  const child = spawn(process.execPath, [main, '--pace', 'instant', '--directory', folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
    // As the service has it: the GraphQL library's checks for developers are not what is measured.
    env: { ...process.env, NODE_ENV: 'production' },
  });
  await new Promise<void>((resolve, reject) => {
    child.stdout.once('data', () => resolve());
    child.once('exit', (code) => reject(new Error(`the landscape ended with ${code}`)));
  });
  const { environment, addresses } = JSON.parse(readFileSync(path.join(folder, 'landscape.json'), 'utf8')) as {
    environment: Record<string, string>;
    addresses: { control: string };
  };
  if (child.pid === undefined) throw new Error('the landscape was not started');
  return { environment, control: addresses.control, pid: child.pid, stop: () => child.kill('SIGTERM') };
}
