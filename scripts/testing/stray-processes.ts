import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** In the environment of a test file's process, and so of every process that it starts. */
export const strayMark = 'PROVISIONER_TEST_FILE';

/** Kills the processes that carry the mark and still run; answers their commands. */
export async function endStrayProcesses(mark: string): Promise<string[]> {
  const strays =
    process.platform === 'linux' ? findOnLinux(`${strayMark}=${mark}`) : findWithPs(`${strayMark}=${mark}`);
  for (const { pid } of strays) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended by itself.
    }
  }
  return strays.map(({ command }) => command);
}

interface Stray {
  readonly pid: number;
  readonly command: string;
}

function findOnLinux(marked: string): Stray[] {
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name);
    if (!(pid > 0) || pid === process.pid) return [];
    try {
      if (!readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(marked)) return [];
      return [{ pid, command: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim() }];
    } catch {
      return []; // Another user's, or gone.
    }
  });
}

function findWithPs(marked: string): Stray[] {
  const list = execFileSync('ps', ['-A', '-E', '-ww', '-o', 'pid=,command='], { encoding: 'utf8' });
  return list
    .split('\n')
    .filter((line) => line.includes(marked))
    .map((line) => ({ pid: Number.parseInt(line, 10), command: line.trim().split(' ').slice(1, 6).join(' ') }))
    .filter(({ pid }) => pid !== process.pid);
}
