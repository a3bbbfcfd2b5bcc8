// A reporter for node:test that writes one line of JSON for each test that ended. scripts/test.ts reads them.

import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';

export interface TestRecord {
  /** With the names of the suites and tests around it. */
  readonly name: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  /** Why it was skipped. */
  readonly reason?: string;
  readonly error?: string;
}

// biome-ignore lint/style/noDefaultExport: node:test takes the default export
export default async function* reportEvents(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const path: string[] = [];
  for await (const { type, data } of events) {
    if (type === 'test:start') path.splice(data.nesting, path.length, data.name);
    // What went wrong outside of any test; it belongs to the output of the file.
    if (type === 'test:diagnostic' && /^(Error|Warning)/.test(data.message)) console.error(data.message);
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const name = [...path.slice(0, data.nesting), data.name].join(' > ');
    const record = type === 'test:pass' ? describePass(data) : describeFailure(data);
    if (record !== undefined) yield `${JSON.stringify({ name, ...record } satisfies TestRecord)}\n`;
  }
}

type Pass = Extract<TestEvent, { type: 'test:pass' }>['data'];
type Fail = Extract<TestEvent, { type: 'test:fail' }>['data'];

function describePass({ details, skip, todo }: Pass): Omit<TestRecord, 'name'> | undefined {
  if (skip !== undefined && skip !== false)
    return { outcome: 'skipped', reason: skip === true || skip === '' ? 'no reason given' : skip };
  if (todo !== undefined && todo !== false)
    return { outcome: 'skipped', reason: `to do: ${todo === true ? '' : todo}` };
  return details.type === 'suite' ? undefined : { outcome: 'passed' };
}

function describeFailure({ details, todo }: Fail): Omit<TestRecord, 'name'> | undefined {
  const error = details.error as Error & { failureType?: string };
  // The tests inside have said it already.
  if (error.failureType === 'subtestsFailed') return undefined;
  if (todo !== undefined && todo !== false)
    return { outcome: 'skipped', reason: `to do: ${todo === true ? '' : todo}` };
  const cause = error.cause instanceof Error ? error.cause : undefined;
  return { outcome: 'failed', error: inspect(cause ?? error.cause ?? error) };
}
