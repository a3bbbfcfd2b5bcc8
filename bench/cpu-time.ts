import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks of Linux per second, as every usual build has it. */
const ticksPerSecond = 100;

/**
 * Processor time in seconds that these processes and their children (PostgreSQL has one for each connection) have used
 * so far. On a machine that others use too, it says more than what a clock says. Linux only; NaN elsewhere.
 */
export function cpuSeconds(pid: number): number {
  if (process.platform !== 'linux') return Number.NaN;
  const processes = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? readStat(name) : []));
  const ticks = processes.filter((one) => one.pid === pid || one.parent === pid).map((one) => one.ticks);
  return ticks.reduce((sum, one) => sum + one, 0) / ticksPerSecond;
}

function readStat(pid: string): readonly { pid: number; parent: number; ticks: number }[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name, in parentheses, may hold anything; numbered by `man 5 proc`, the rest begins with field 3.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    // Its own, and that of children that have ended.
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return [{ pid: Number(pid), parent: Number(fields[1]), ticks }];
  } catch {
    return []; // It has ended meanwhile.
  }
}
