import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import type { CatalogueContents } from '../../src/kyma/catalogue-file.ts';
import { testLandscape } from '../harness/landscape.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

const { environment } = await testLandscape();
const published = JSON.parse(readFileSync(environment.APP_KYMA_CATALOGUE_PATH ?? '', 'utf8')) as CatalogueContents;
const folder = temporaryFolder();
const catalogue = path.join(folder, 'catalogue.json');

async function run(...args: readonly string[]): Promise<{ code: number | null; output: string; errors: string }> {
  const { APP_KYMA_CATALOGUE_PATH: _, ...env } = { ...process.env, ...environment };
  const child = spawn(process.execPath, ['scripts/catalogue.ts', ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code, output, errors };
}

test('a catalogue is built, and a folder filled with its files, by commands that say what they have done', async () => {
  const istio = published.releases['1.2.0']?.modules.istio;
  const kyma1 = published.installerReleases['1.24.11'];
  assert.ok(istio && kyma1);
  const addresses = ['--manifest', istio.manifest.url, '--cr', istio.defaultResource.url];
  const release = ['--release', '1.2.0', '--channel', 'fast', '--minimal', '--catalogue', catalogue];
  const added = await run('add', 'istio', istio.version, ...addresses, ...release);
  assert.deepEqual([added.code, added.errors], [0, '']);
  assert.ok(added.output.includes(`SHA-256 of the manifest: ${istio.manifest.sha256}`), added.output);
  const installer = await run('add-installer', '1.24.11', '--installer', kyma1.installer.url, '--catalogue', catalogue);
  assert.deepEqual([installer.code, installer.errors], [0, '']);
  const built = JSON.parse(readFileSync(catalogue, 'utf8')) as CatalogueContents;
  assert.deepEqual([built.channels, built.releases['1.2.0']?.modules], [{ fast: '1.2.0' }, { istio }]);
  assert.deepEqual(built.installerReleases['1.24.11']?.installer, kyma1.installer);

  const mirror = path.join(folder, 'mirror');
  const filled = await run('mirror', mirror, '--catalogue', catalogue);
  assert.match(filled.output, /^3 files were fetched, 0 were there already/);
  assert.match((await run('mirror', mirror, '--catalogue', catalogue)).output, /^0 files were fetched, 3 were there/);
});

test('a command that lacks something says what, and changes nothing', async () => {
  const elsewhere = path.join(folder, 'other.json');
  const cases: readonly { args: readonly string[]; words: RegExp }[] = [
    { args: ['add', 'istio', '1.2.3', '--catalogue', elsewhere], words: /^missing: manifest, cr, release\nusage: / },
    { args: ['add-installer', '--catalogue', elsewhere], words: /^missing: version, installer\n/ },
    { args: ['mirror', 'one', 'two', '--catalogue', elsewhere], words: /^too much: two\n/ },
    { args: ['mirror', 'one'], words: /^missing: catalogue\n/ },
    { args: ['remove'], words: /^usage: catalogue add / },
  ];
  for (const { args, words } of cases) {
    const { code, errors } = await run(...args);
    assert.equal(code, 1, args.join(' '));
    assert.match(errors, words);
  }
  assert.ok(!existsSync(elsewhere));
});
