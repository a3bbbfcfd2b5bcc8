// `npm run chaos`: replicas of the service on one PostgreSQL and one landscape carry out operations of every kind while
// they are killed, frozen and restarted, and everything around them fails; then what has happened is checked.
// `-- --seed <text> --operations 1000 --replicas 3 --minutes 10 --at-once 24 --fault-every 2 --pace instant`. The same
// seed makes the same choices. What was done, and what everybody wrote, is in a folder that is named at the end.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { paceNames } from '../landscape/pace.ts';
import { checkHistory } from './chaos/check-history.ts';
import { describeRun } from './chaos/describe-run.ts';
import { runChaos } from './chaos/run-chaos.ts';
import { readOptions, refuseOptions } from './read-options.ts';

const usage = `usage: npm run chaos -- [--seed TEXT] [--operations 1000] [--replicas 3] [--minutes 15] [--at-once 24]
  [--fault-every 2] [--pace ${paceNames.join('|')}] [--directory FOLDER]
docs/reliability.md says what they mean.`;
const values = readOptions({
  usage,
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    operations: { type: 'string', default: '1000' },
    replicas: { type: 'string', default: '3' },
    minutes: { type: 'string', default: '15' },
    'at-once': { type: 'string', default: '24' },
    'fault-every': { type: 'string', default: '2' },
    pace: { type: 'string', default: 'instant' },
    directory: { type: 'string' },
  },
});
const pace =
  paceNames.find((name) => name === values.pace) ??
  refuseOptions(`--pace ${values.pace}: ${paceNames.join(', ')} are possible`);
const directory = path.resolve(values.directory ?? `.data/chaos/${values.seed}-${Date.now()}`);
mkdirSync(directory, { recursive: true });
const logFile = path.join(directory, 'chaos.log');
const log = (line: string) => {
  appendFileSync(logFile, `${line}\n`);
  console.log(line);
};

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort());
log(`seed ${values.seed}; everything is written to ${directory}`);
const run = await runChaos({
  ...{ seed: values.seed, pace, directory, log, signal: stop.signal },
  operations: number('operations'),
  replicas: number('replicas'),
  atOnce: number('at-once'),
  longest: number('minutes') * 60_000,
  faultEvery: number('fault-every') * 1_000,
  clockOffset: 60_000,
  patience: 240_000,
});
writeFileSync(path.join(directory, 'history.json'), JSON.stringify(run.history, undefined, 1));
const violations = checkHistory(run.history);
log(describeRun(run, violations));
const wrong = violations.length + run.journal.complaints.length;
log(wrong === 0 ? 'everything holds' : `${wrong} promises are broken; again with --seed ${values.seed}`);
if (wrong > 0) process.exitCode = 1;

function number(name: 'operations' | 'replicas' | 'minutes' | 'at-once' | 'fault-every'): number {
  const value = Number(values[name]);
  if (!(value > 0)) refuseOptions(`--${name} ${values[name]}: a number above 0 is needed`);
  return value;
}
