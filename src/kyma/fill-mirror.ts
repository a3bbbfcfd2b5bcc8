import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Logger } from '../domain/logger.ts';
import { artifactsOf, CatalogueFile, trustedHostsOf } from './catalogue-file.ts';
import { Downloads } from './downloads.ts';
import { mirrorAddress } from './mirror.ts';
import { sha256Of } from './sha256-of.ts';

/**
 * Puts every file that a catalogue names into a folder, as `APP_KYMA_ARTIFACTS_MIRROR` expects it, each only with its
 * digest. What is there already is not fetched again. Throws an Error that says what is wrong.
 */
export async function fillMirror(options: {
  readonly catalogue: string;
  readonly folder: string;
  readonly log: Logger;
}): Promise<{ readonly fetched: number; readonly present: number }> {
  const { catalogue, folder, log } = options;
  const contents = await new CatalogueFile({ path: catalogue, log }).contents();
  const { artifacts: hosts, redirects } = trustedHostsOf(contents);
  const mirror = pathToFileURL(path.resolve(folder));
  const downloads = new Downloads({ privateAddresses: 'allowed' });
  let [fetched, present] = [0, 0];
  try {
    for (const { url, sha256 } of artifactsOf(contents)) {
      const file = fileURLToPath(mirrorAddress(mirror, new URL(url)));
      const there = await readFile(file).catch(() => undefined);
      if (there && sha256Of(there) === sha256) {
        present += 1;
        continue;
      }
      const what = { url: new URL(url), what: 'Kyma artifact', hosts, redirects, namedBy: 'the catalogue' };
      const { bytes } = await downloads.get(what);
      const digest = sha256Of(bytes);
      if (digest !== sha256) throw new Error(`${url}: its SHA-256 is ${digest}, but the catalogue says ${sha256}`);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(`${file}.new`, bytes);
      await rename(`${file}.new`, file);
      fetched += 1;
    }
  } finally {
    await downloads.close();
  }
  return { fetched, present };
}
