// `npm test`: the checks, then every test, on one PostgreSQL that all files share. `npm test -- test/engine` runs only
// the files below that path (or with that text in their path), without the checks. The last line is the summary.
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { startEmbeddedPostgres } from '../src/db/embedded/embedded-postgres.ts';
import { sharedServerVariable } from '../test/harness/shared-server.ts';
import { silentLog } from '../test/harness/silent-log.ts';
import { temporaryFolder } from '../test/harness/temporary-folder.ts';
import { runChecks } from './checking/run-checks.ts';
import { keepDurations, longestFirst } from './testing/durations.ts';
import { type FileResult, runTestFile } from './testing/run-test-file.ts';
import { describeFile, summarise } from './testing/summary.ts';

// Bounds against hanging, wide enough for a busy machine; a run is meant to take less than ten minutes.
const testTimeout = 240_000;
const fileTimeout = 480_000;
const runTimeout = 1_500_000;

const filters = process.argv.slice(2);
const stop = new AbortController();
// Exit codes as shells have them for a program that a signal ended.
process.on('SIGINT', () => stop.abort(130));
process.on('SIGTERM', () => stop.abort(143));
setTimeout(() => stop.abort(1), runTimeout).unref();

const checks = filters.length === 0 ? await runChecks() : { passed: 0, failed: 0 };
const results = await runTests();
const { text, ok } = summarise({ checks, results, interrupted: stop.signal.aborted });
process.stdout.write(text);
process.exitCode = ok ? 0 : stop.signal.aborted ? Number(stop.signal.reason) : 1;

async function runTests(): Promise<FileResult[]> {
  const files = globSync('test/**/*.test.ts').filter((file) => filters.length === 0 || filters.some(matches(file)));
  if (files.length === 0) return [];
  const directory = temporaryFolder();
  const database = await startEmbeddedPostgres({
    directory: path.join(directory, 'postgres'),
    log: silentLog,
    temporary: true,
  });
  const { host, port, user, password } = database;
  const environment = {
    [sharedServerVariable]: `postgres://${user}:${password.reveal()}@${host}:${port}`,
    // What a file that is killed leaves behind goes with the folder of the run.
    TMPDIR: directory,
  };
  try {
    return await runAll(longestFirst(files), (file) =>
      runTestFile({ file, directory, environment, testTimeout, fileTimeout, signal: stop.signal }),
    );
  } finally {
    await database.stop();
  }
}

async function runAll(files: readonly string[], run: (file: string) => Promise<FileResult>): Promise<FileResult[]> {
  const results: FileResult[] = [];
  const waiting = [...files];
  const work = async () => {
    for (let file = waiting.shift(); file !== undefined && !stop.signal.aborted; file = waiting.shift()) {
      const result = await run(file);
      results.push(result);
      console.log(describeFile(result));
    }
  };
  await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, work));
  keepDurations(Object.fromEntries(results.map(({ file, milliseconds }) => [file, Math.round(milliseconds)])));
  return results;
}

function matches(file: string): (filter: string) => boolean {
  return (filter) => file.includes(filter.replace(/^\.\//, ''));
}
