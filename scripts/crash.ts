// `npm run crash`: the service is killed (kill -9) before and after each effect that an operation has outside or in its
// database, in each stage of each kind of operation, for each driver and installer, with 1 and with 3 replicas; then
// everything must be as if nothing had happened. The effects are found by the run itself.
// `-- --life gke --replicas 3 --at 'Provision/CreatingCluster gke POST'` lives one life and kills only where a place has
// that text in it. What the replicas wrote is in a folder that is named at the beginning.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { runMatrix } from './crash/run-matrix.ts';
import { readOptions } from './read-options.ts';

const usage = `usage: npm run crash -- [--life gardener|gke|kyma-1] [--replicas 1,3] [--at TEXT] [--at-once 2] [--directory FOLDER]
docs/reliability.md says what they mean.`;
const values = readOptions({
  usage,
  options: {
    life: { type: 'string' },
    replicas: { type: 'string', default: '1,3' },
    at: { type: 'string', default: '' },
    'at-once': { type: 'string', default: '2' },
    directory: { type: 'string' },
  },
});
const directory = path.resolve(values.directory ?? `.data/crash/${Date.now()}`);
mkdirSync(directory, { recursive: true });
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort());
console.log(`everything is written to ${directory}`);
const { text, failed } = await runMatrix({
  ...{ directory, log: console.log, signal: stop.signal },
  isLifeWanted: ({ name }) => values.life === undefined || name === values.life,
  replicas: values.replicas.split(',').map(Number),
  isWanted: (place) => place.includes(values.at),
  atOnce: Number(values['at-once']),
});
console.log(text);
// Requests of the killed may still be held, and would keep this process.
process.exit(failed > 0 ? 1 : 0);
