import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { PostgresBinaries } from './postgres-binaries.ts';
import { ownerSetting, readPostmasterFile } from './running-server.ts';
import type { ServerAccount } from './server-account.ts';

/** A running PostgreSQL server process. */
export interface Postmaster {
  readonly pid: number;
  /** Settles when the process has ended, for whatever reason. */
  readonly ended: Promise<void>;
  /** Ends sessions, writes everything down and ends the process. Kills it hard (it recovers) after 20 s. */
  stop(): Promise<void>;
}

export interface PostmasterOptions {
  readonly data: string;
  readonly port: number;
  readonly account: ServerAccount | undefined;
  readonly binaries: PostgresBinaries;
  readonly logFile: string;
  readonly durable: boolean;
  /** Removed when this process is killed. */
  readonly temporaryFolders: readonly string[];
}

const startPatience = 60_000;
const stopPatience = 20_000;

/**
 * Reads from a pipe that nobody writes to: it ends when the process that holds the other end is gone, even by kill -9.
 * Then the server is shut down in order, and a temporary folder is removed.
 */
const guardScript = `
read -r _
server=$1
shift
kill -INT "$server" 2>/dev/null
[ $# -gt 0 ] || exit 0
while kill -0 "$server" 2>/dev/null; do sleep 0.1; done
rm -rf "$@"
`;

/** Resolves when the server accepts connections. Throws what it wrote to its log when it does not come up. */
export async function startPostmaster(options: PostmasterOptions): Promise<Postmaster> {
  const { data, account, binaries, logFile } = options;
  const output = openSync(logFile, 'a', 0o600);
  const logStart = await sizeOf(logFile);
  // A session of its own: Ctrl-C in a terminal is for us, and the server outlives our own shutdown.
  const isolated = { cwd: '/', detached: true } as const;
  const server = spawn(binaries.postgres, ['-D', data, ...settings(options)], {
    ...isolated,
    ...account,
    env: { LC_ALL: 'C' },
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  const ended = endOf(server);
  const { pid } = server;
  if (pid === undefined) throw new Error(`${binaries.postgres} cannot be run`);
  const guard = spawn('/bin/sh', ['-c', guardScript, 'sh', String(pid), ...options.temporaryFolders], {
    ...isolated,
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guard.on('error', () => {}); // Without a shell there is no guard; the next start finds what is left.
  server.unref();
  guard.unref();
  (guard.stdin as unknown as { unref(): void }).unref();

  void ended.then(() => guard.kill());
  await ready(data, pid, ended, logFile, logStart);
  return { pid, ended, stop: () => stop(server, ended) };
}

function settings({ port, durable }: PostmasterOptions): string[] {
  const values: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    max_connections: '300',
    // One server, no replication: less to write for the same safety.
    wal_level: 'minimal',
    max_wal_senders: '0',
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    [ownerSetting]: String(process.pid),
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

async function ready(data: string, pid: number, ended: Promise<void>, logFile: string, logStart: number) {
  let running = true;
  void ended.then(() => {
    running = false;
  });
  for (const startedAt = performance.now(); performance.now() - startedAt < startPatience; await delay(10)) {
    if (!running) throw new Error(`PostgreSQL did not start: ${await textAfter(logFile, logStart)}`);
    const file = await readPostmasterFile(data);
    if (file?.pid === pid && file.ready) return;
  }
  process.kill(pid, 'SIGQUIT');
  throw new Error(`PostgreSQL was not ready after ${startPatience / 1000} s: ${await textAfter(logFile, logStart)}`);
}

async function stop(server: ChildProcess, ended: Promise<void>): Promise<void> {
  server.ref();
  server.kill('SIGINT');
  const impatience = setTimeout(() => server.kill('SIGQUIT'), stopPatience);
  await ended;
  clearTimeout(impatience);
}

async function endOf(child: ChildProcess): Promise<void> {
  await once(child, 'exit').catch(() => {});
}

async function sizeOf(file: string): Promise<number> {
  const handle = await open(file);
  const { size } = await handle.stat();
  await handle.close();
  return size;
}

async function textAfter(file: string, position: number): Promise<string> {
  const handle = await open(file);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(4_000), 0, 4_000, position);
  await handle.close();
  return buffer.toString('utf8', 0, bytesRead).trim();
}
