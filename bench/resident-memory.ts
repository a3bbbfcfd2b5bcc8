import { readFileSync } from 'node:fs';

const kibPerMib = 1024;

/** Of a process, in MiB: what is in memory now, and the most that ever was. Linux only; NaN elsewhere. */
export function residentMemory(pid: number): { readonly now: number; readonly most: number } {
  if (process.platform !== 'linux') return { now: Number.NaN, most: Number.NaN };
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  const read = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / kibPerMib;
  return { now: read('VmRSS'), most: read('VmHWM') };
}
