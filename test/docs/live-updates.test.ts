import assert from 'node:assert/strict';
import { execFile, spawn, spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { openWorld } from '../flows/world.ts';
import { eventually } from '../harness/eventually.ts';
import { type Meanings, matchAnswer, translate } from './support/match.ts';
import { readBlocks, readPage } from './support/read-page.ts';

const page = 'docs/live-updates.md';
const [order, accepted, watch, watched, program, ...others] = readBlocks(readPage(page));
const skip = spawnSync('curl', ['--help']).error !== undefined && 'curl is not on the PATH';
const pagesAddress = '127.0.0.1:3000';

const world = await openWorld();
const address = new URL(world.service.url).host;
let meanings: Meanings = new Map();

async function run(script: string): Promise<string> {
  const here = translate(script, new Map([...meanings, [pagesAddress, address]]));
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', here]);
  return stdout;
}

test('the page has the examples that are run here, in their order', () => {
  const languages = [order, accepted, watch, watched, program].map((block) => block?.language);
  assert.deepEqual([...languages, others.length], ['sh', 'json', 'sh', 'text', 'js', 0]);
});

test('the program sees what is then done with curl, and goes on by itself at another replica', { skip }, async (t) => {
  const second = await world.startService();
  let port = address.split(':')[1] ?? '';
  // Its address stays and its replica changes, as behind a load balancer.
  const { createServer, connect } = await import('node:net');
  const balancer = createServer((client) => {
    const upstream = connect(Number(port), '127.0.0.1');
    client.pipe(upstream).pipe(client);
    for (const socket of [client, upstream]) socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => balancer.listen(0, '127.0.0.1', resolve));
  const { port: balancedPort } = balancer.address() as { port: number };

  const text = (program?.text ?? '').replace(pagesAddress, `127.0.0.1:${balancedPort}`);
  const child = spawn(process.execPath, ['--input-type=module', '-e', text], { stdio: ['ignore', 'pipe', 'pipe'] });
  t.after(() => {
    child.kill();
    balancer.close();
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (more) => (printed += more));
  await eventually('the subscription', () => printed.startsWith('subscribed\n'));

  world.control.setShootFate('*', { kind: 'stuck', at: 'workers' });
  const answer = await run(order?.text ?? '');
  meanings = matchAnswer(JSON.parse(accepted?.text ?? ''), JSON.parse(answer), meanings);
  assert.equal(await run(order?.text ?? ''), answer, 'the same order once more has the same answer');
  const { data } = JSON.parse(answer) as { data: { provisionRuntime: { id: string } } };
  const { id } = data.provisionRuntime;
  await eventually('the first updates', () => printed.includes(`${id} 3 `));

  port = new URL(second.url).port;
  await world.service.stop();
  world.control.liftShootFate('*');
  await eventually('the last update', () => printed.includes(' Succeeded Finished'));
  const timeline = await world.timeline(id);
  const [head, ...updates] = printed.trimEnd().split('\n');
  assert.equal(head, 'subscribed');
  assert.deepEqual(
    updates,
    timeline.map(({ type, stage }, index) => `${id} ${index + 1} ${type} ${stage}`),
  );

  const stream = translate(watch?.text ?? '', new Map([[pagesAddress, new URL(second.url).host], ...meanings]));
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', stream]);
  const events = stdout.split('\n\n').filter((event) => event.startsWith('event: '));
  const [first, next, last] = (watched?.text ?? '').trimEnd().split('\n\n');
  assert.deepEqual([events[0], events[1], events.at(-1)], [first, next, last]);
  assert.equal(events.length, timeline.length + 1);
});
