import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { parse } from 'graphql';
import type { ShootFate } from '../../../landscape/garden/shoot-fates.ts';
import type { AgentFate } from '../../../landscape/runtime-cluster/agent-fates.ts';
import { readConfig } from '../../../src/config.ts';
import type { World } from '../../flows/world.ts';
import { eventually } from '../../harness/eventually.ts';
import type { GraphqlError } from '../../harness/graphql-client.ts';
import type { Example, Output } from './examples.ts';
import { type Meanings, matchAnswer, translate } from './match.ts';

/** A page that is being followed from top to bottom. */
export interface Reading {
  readonly world: World;
  /** Where files are written. */
  readonly folder: string;
  /** Grows with each answer. */
  meanings: Meanings;
}

/** The tenant of all pages. */
const tenant = 'demo';

/** Does what the page says; throws unless that comes of it which the page says. */
export async function runExample(example: Example, reading: Reading): Promise<void> {
  if (example.landscape) changeLandscape(example.landscape, reading.world);
  switch (example.kind) {
    case 'graphql':
      return sendDocument(example, reading);
    case 'shell':
      return runScript(example, reading);
    case 'settings':
      return readSettings(example.script);
  }
}

/** The programs that have to be there. */
export function programsOf(example: Example): readonly string[] {
  if (example.kind !== 'shell') return [];
  return ['curl', 'jq', 'kubectl', 'openssl'].filter((program) => new RegExp(`\\b${program}\\b`).test(example.script));
}

async function sendDocument(example: Extract<Example, { kind: 'graphql' }>, reading: Reading): Promise<void> {
  const document = translate(example.document, reading.meanings);
  const variables = JSON.parse(translate(example.variables, reading.meanings)) as Record<string, unknown>;
  const api = reading.world.as({ tenant });
  const send = async () => {
    const { data, errors } = await api.send<unknown>(document, variables);
    return { data, ...(errors.length > 0 && { errors: errors.map(withoutPlace) }) };
  };
  assert.ok(example.answers.length > 0, 'the page does not say what is answered');
  for (const answer of example.answers) {
    await expectAnswer({ answer: JSON.parse(answer), ask: send, once: isMutation(document), reading });
  }
}

/** Line and column in the document say nothing to a reader. */
function withoutPlace({ locations: _, ...error }: GraphqlError & { readonly locations?: unknown }): object {
  return error;
}

function isMutation(document: string): boolean {
  return parse(document).definitions.some((each) => 'operation' in each && each.operation === 'mutation');
}

async function runScript(example: Extract<Example, { kind: 'shell' }>, reading: Reading): Promise<void> {
  const { folder, world } = reading;
  const script = translate(example.script, new Map([...reading.meanings, ...addresses(world)]));
  const run = async () => {
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder },
    });
    return stdout;
  };
  const [first, ...others] = example.prints;
  assert.equal(others.length, 0, 'a script prints once');
  const once = script.includes('mutation');
  if (first)
    await expectAnswer({
      answer: asValue(first),
      ask: async () => asValue({ ...first, text: await run() }),
      once,
      reading,
    });
  else await run();
}

function asValue({ language, text }: Output): unknown {
  if (language === 'json') return JSON.parse(text);
  const lines = text.trim().split('\n');
  return lines.map((line) => line.trimEnd().replaceAll(/ {2,}/g, '  '));
}

/** Where a page has the usual addresses. */
function addresses({ service }: World): readonly (readonly [string, string])[] {
  const up = service.logged
    .map((line) => JSON.parse(line) as { metricsPort?: number })
    .find((line) => line.metricsPort);
  return [
    ['http://127.0.0.1:3000', service.url],
    ['http://127.0.0.1:9000', `http://127.0.0.1:${up?.metricsPort}`],
  ];
}

/** What is only looked at is looked at until it is as on the page. */
async function expectAnswer({
  answer,
  ask,
  once,
  reading,
}: {
  answer: unknown;
  ask: () => Promise<unknown>;
  once: boolean;
  reading: Reading;
}): Promise<void> {
  const look = async () => matchAnswer(answer, await ask(), reading.meanings);
  if (once) {
    reading.meanings = await look();
    return;
  }
  let last: unknown;
  const tryIt = () =>
    look().catch((error: unknown) => {
      last = error;
      return undefined;
    });
  reading.meanings = await eventually('the answer on the page', tryIt).catch(() => {
    throw last;
  });
}

/** The service must take them as they are. */
async function readSettings(script: string): Promise<void> {
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', `set -a\n${script}\nenv -0`], {
    env: { PATH: process.env.PATH },
  });
  const entries = stdout.split('\0').filter((entry) => entry.startsWith('APP_'));
  const environment = Object.fromEntries(entries.map(splitEntry));
  assert.deepEqual(readConfig(environment).unknownVariables, []);
}

function splitEntry(entry: string): readonly [string, string] {
  const end = entry.indexOf('=');
  return [entry.slice(0, end), entry.slice(end + 1)];
}

/** `shoots`, `agents`: what becomes of all of them; null: they succeed again. */
function changeLandscape(wish: string, { control }: World): void {
  const { shoots, agents } = JSON.parse(wish) as {
    readonly shoots?: ShootFate | null;
    readonly agents?: AgentFate | null;
  };
  if (agents !== undefined) control.setAgentFate(agents ?? undefined);
  if (shoots) control.setShootFate('*', shoots);
  else if (shoots === null) control.liftShootFate('*');
}
