import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { CatalogueFile } from '../../src/kyma/catalogue-file.ts';
import { silentLog } from '../harness/silent-log.ts';

test('the example in docs/catalogue.md is a catalogue that the service takes', async (context) => {
  const page = await readFile(new URL('../../docs/catalogue.md', import.meta.url), 'utf8');
  const example = /```json\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
  const folder = await mkdtemp(path.join(tmpdir(), 'catalogue-'));
  context.after(() => rm(folder, { recursive: true }));
  const file = path.join(folder, 'catalogue.json');
  await writeFile(file, example);

  const { channels, releases } = await new CatalogueFile({ path: file, log: silentLog }).contents();

  assert.equal(channels.fast, '2026-11');
  assert.deepEqual(releases['2026-11']?.modules['application-connector']?.requires, ['istio']);
});
