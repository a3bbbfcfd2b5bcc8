/**
 * Places at which a test can kill the process, on both sides of everything that becomes durable. A point is armed by the
 * environment, `APP_CRASH_POINT=before-commit:Provision/CreatingCluster`, and costs one comparison when none is.
 */
export type CrashPoint = 'before-run' | 'before-commit' | 'after-commit' | 'before-note' | 'after-note';

const armed = process.env.APP_CRASH_POINT || undefined;

export function crashPoint(point: CrashPoint, kind: string, stage: string): void {
  if (armed === undefined) return;
  if (armed === `${point}:${kind}/${stage}`) process.kill(process.pid, 'SIGKILL');
}
