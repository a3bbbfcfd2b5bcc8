import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { startEmbeddedPostgres } from '../../../src/db/embedded/embedded-postgres.ts';
import { atEnd } from '../../harness/at-end.ts';
import { eventually } from '../../harness/eventually.ts';
import type { TestDatabaseSettings } from '../../harness/postgres.ts';
import { silentLog } from '../../harness/silent-log.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';

/** A PostgreSQL server that goes away and comes back. */
export interface FailingServer {
  readonly settings: TestDatabaseSettings;
  /** Resolves once it is away; what that resolves to ends when it has come back. */
  goAway(): Promise<{ readonly cameBack: Promise<void> }>;
}

/** Twice as long as a replica may be silent, in milliseconds. */
const outage = 20_000;

/** Shut down in order, and started again on its port. */
export async function stoppedServer(): Promise<FailingServer> {
  const directory = temporaryFolder();
  const first = await startEmbeddedPostgres({ directory, log: silentLog });
  let current = first;
  atEnd(() => current.stop());
  return {
    settings: settingsOf(first),
    async goAway() {
      await first.stop();
      const comeBack = async () => {
        await delay(outage);
        current = await startEmbeddedPostgres({ directory, log: silentLog, port: first.port });
      };
      return { cameBack: comeBack() };
    },
  };
}

/** Accepts what is sent and answers nothing, as a machine that swaps or has lost its disk. Needs /proc. */
export async function hangingServer(): Promise<FailingServer> {
  const server = await ownServer();
  return {
    settings: settingsOf(server),
    async goAway() {
      const processes = withChildren(server.pid());
      for (const pid of processes) process.kill(pid, 'SIGSTOP');
      const comeBack = async () => {
        await delay(outage);
        for (const pid of processes) process.kill(pid, 'SIGCONT');
      };
      return { cameBack: comeBack() };
    },
  };
}

/** Dies of kill -9, and is back as soon as it has recovered. */
export async function killedServer(): Promise<FailingServer> {
  const server = await ownServer();
  return {
    settings: settingsOf(server),
    async goAway() {
      const killed = server.pid();
      process.kill(killed, 'SIGKILL');
      return { cameBack: eventually('the server to be started again', () => server.pid() !== killed).then(() => {}) };
    },
  };
}

/** A durable one: what a temporary one has answered may be lost with it. */
async function ownServer() {
  const server = await startEmbeddedPostgres({ directory: temporaryFolder(), log: silentLog });
  atEnd(() => server.stop());
  return server;
}

function settingsOf({ host, port, user, password, name }: Omit<TestDatabaseSettings, 'sslMode'>): TestDatabaseSettings {
  return { host, port, user, password, name, sslMode: 'disable' };
}

/** The server and a process for each of its connections. */
function withChildren(parent: number): readonly number[] {
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === parent);
  return [parent, ...children.map(Number)];
}

/** The second field after the name, which is in parentheses. */
function parentOf(pid: string): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined; // It has ended.
  }
}
