import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { TestRecord } from './event-reporter.ts';
import { endStrayProcesses, strayMark } from './stray-processes.ts';

export interface FileResult {
  readonly file: string;
  readonly milliseconds: number;
  readonly records: readonly TestRecord[];
  /** What went wrong with the file as a whole: it crashed, hung or has no tests. */
  readonly problem: string | undefined;
  /** What it wrote to standard output and error. */
  readonly output: string;
  /** Commands of processes that it left behind; they have been killed. */
  readonly strays: readonly string[];
}

export interface FileRun {
  readonly file: string;
  /** A folder for what this run writes. */
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly testTimeout: number;
  readonly fileTimeout: number;
  readonly signal: AbortSignal;
}

/** Runs one test file in a process of its own and ends every process that it left behind. */
export async function runTestFile(run: FileRun): Promise<FileResult> {
  const { file, directory, testTimeout } = run;
  const startedAt = performance.now();
  const mark = crypto.randomUUID();
  const events = path.join(directory, `${mark}.jsonl`);
  const args = [
    '--disable-warning=ExperimentalWarning',
    `--test-timeout=${testTimeout}`,
    `--test-reporter=${path.join(import.meta.dirname, 'event-reporter.ts')}`,
    `--test-reporter-destination=${events}`,
    file,
  ];
  const { ending, output } = await runProcess(args, mark, run);
  const strays = await endStrayProcesses(mark);
  const records = readRecords(events);
  const failed = records.some(({ outcome }) => outcome === 'failed');
  const problem = ending ?? (records.length === 0 ? 'it has no tests' : undefined);
  return {
    file,
    milliseconds: performance.now() - startedAt,
    records,
    // The exit code of a file with a failed test says no more than the test does.
    problem: failed && problem?.startsWith('exit') ? undefined : problem,
    output,
    strays,
  };
}

function runProcess(args: readonly string[], mark: string, { environment, fileTimeout, signal }: FileRun) {
  return new Promise<{ ending: string | undefined; output: string }>((resolve) => {
    const env = { ...process.env, ...environment, [strayMark]: mark };
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    let killed: string | undefined;
    const kill = (reason: string) => {
      killed ??= reason;
      child.kill('SIGKILL');
    };
    const timer = setTimeout(
      () => kill(`it did not end within ${fileTimeout / 1000} s: something still runs after its tests`),
      fileTimeout,
    );
    const onAbort = () => kill('the run was stopped');
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    // Not 'close': a process that was left behind may hold the output open.
    child.once('exit', (code, exitSignal) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      const ending = killed ?? (code === 0 ? undefined : `exit ${exitSignal ?? code}`);
      setImmediate(() => {
        child.stdout.destroy();
        child.stderr.destroy();
        resolve({ ending, output });
      });
    });
  });
}

function readRecords(events: string): TestRecord[] {
  if (!existsSync(events)) return [];
  return readFileSync(events, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as TestRecord];
      } catch {
        return []; // The last line of a process that was killed.
      }
    });
}
