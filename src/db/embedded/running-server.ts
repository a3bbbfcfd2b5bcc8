import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Logger } from '../../domain/logger.ts';

/** Setting on the server's command line that names the process it was started by. */
export const ownerSetting = 'provisioner.owner';

const patienceWithOwner = 3_000;
const patienceWithOrphan = 60_000;

/** What PostgreSQL writes to `postmaster.pid`. */
export interface PostmasterFile {
  readonly pid: number;
  readonly ready: boolean;
}

export async function readPostmasterFile(data: string): Promise<PostmasterFile | undefined> {
  const text = await readFile(path.join(data, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  return pid > 0 ? { pid, ready: lines[7]?.trim() === 'ready' } : undefined;
}

/**
 * Makes sure that no server of an earlier run works on the data. One that lost its owner (which was killed) is shut
 * down in order; one whose owner lives gets a few seconds, then the start is refused.
 */
export async function settleEarlierServer(data: string, log: Logger): Promise<void> {
  const startedAt = performance.now();
  let asked = false;
  for (;;) {
    const file = await readPostmasterFile(data);
    if (file === undefined || !isAlive(file.pid)) return; // PostgreSQL itself recovers from a file that was left behind.
    const server = await describeProcess(file.pid);
    if (server === undefined) continue; // It ended just now.
    if (!server.command.includes(data) || !server.command.includes('postgres')) {
      // The process is a zombie, or its id was given to another program; PostgreSQL cannot tell and would not start.
      log.warn({ pid: file.pid }, 'removing the postmaster.pid of a server that is gone');
      await rm(path.join(data, 'postmaster.pid'), { force: true });
      return;
    }
    const owner = Number(new RegExp(`${ownerSetting}=(\\d+)`).exec(server.command)?.[1]);
    const waited = performance.now() - startedAt;
    if (server.parent === owner) {
      if (waited > patienceWithOwner) {
        throw new Error(
          `The database in ${data} is in use by process ${owner}. Stop that one first, or set APP_DATABASE_EMBEDDED_PATH to another folder.`,
        );
      }
    } else {
      if (!asked) {
        log.warn({ pid: file.pid }, 'stopping the PostgreSQL that an earlier run left behind');
        process.kill(file.pid, 'SIGINT');
        asked = true;
      }
      if (waited > patienceWithOrphan) throw new Error(`PostgreSQL process ${file.pid} in ${data} does not stop.`);
    }
    await delay(50);
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function describeProcess(pid: number): Promise<{ parent: number; command: string } | undefined> {
  try {
    if (process.platform === 'linux') {
      // Minimal images have no ps. In stat, the parent is the second field after the name, which is in parentheses.
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
      const command = await readFile(`/proc/${pid}/cmdline`, 'utf8');
      const parent = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1];
      return { parent: Number(parent), command: command.replaceAll('\0', ' ') };
    }
    const { stdout } = await promisify(execFile)('ps', ['-ww', '-o', 'ppid=,command=', '-p', String(pid)]);
    const [, parent, command] = /^\s*(\d+)\s+(.*)$/m.exec(stdout) ?? [];
    return command === undefined ? undefined : { parent: Number(parent), command };
  } catch {
    return undefined;
  }
}
