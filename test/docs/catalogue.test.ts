import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { CatalogueFile } from '../../src/kyma/catalogue-file.ts';
import { silentLog } from '../harness/silent-log.ts';

test('the examples in docs/catalogue.md are catalogues that the service takes', async (context) => {
  const page = await readFile(new URL('../../docs/catalogue.md', import.meta.url), 'utf8');
  const folder = await mkdtemp(path.join(tmpdir(), 'catalogue-'));
  context.after(() => rm(folder, { recursive: true }));
  const file = path.join(folder, 'catalogue.json');
  const [modules, kymaOne, ...more] = await Promise.all(
    [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(async ([, example = ''], index) => {
      await writeFile(`${file}.${index}`, example);
      return new CatalogueFile({ path: `${file}.${index}`, log: silentLog }).contents();
    }),
  );

  assert.equal(modules?.channels.fast, '2026-11');
  assert.deepEqual(modules.releases['2026-11']?.modules['application-connector']?.requires, ['istio']);
  assert.equal(kymaOne?.installerReleases['1.24.11']?.tiller, undefined);
  assert.match(kymaOne?.installerReleases['1.13.0']?.tiller?.url ?? '', /tiller\.yaml$/);
  assert.deepEqual(more, []);
});
