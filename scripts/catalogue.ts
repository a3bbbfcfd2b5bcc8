// Builds a catalogue of Kyma releases, and a mirror of its files: node scripts/run.mjs scripts/catalogue.ts
import { parseArgs } from 'node:util';
import { addInstallerRelease, parseComponent } from '../src/kyma/add-installer-release.ts';
import { addToCatalogue } from '../src/kyma/add-to-catalogue.ts';
import { fillMirror } from '../src/kyma/fill-mirror.ts';
import { createLog } from '../src/observability/log.ts';

const usage = `usage: catalogue add MODULE VERSION --manifest URL --cr URL --release NAME [--catalogue FILE]
  [--requires MODULE]... [--manager DEPLOYMENT] [--minimal] [--channel NAME]...
       catalogue add-installer VERSION --installer URL [--tiller URL] [--catalogue FILE]
  [--component NAME=NAMESPACE]... [--minimal NAME]...
       catalogue mirror FOLDER [--catalogue FILE]
The file is $APP_KYMA_CATALOGUE_PATH unless it is given. add and add-installer, which is for Kyma 1, compute digests
from what the addresses answer; mirror puts all files that the catalogue names into the folder, for
APP_KYMA_ARTIFACTS_MIRROR.`;

const log = createLog({ level: 'error', destination: process.stderr });
const catalogue = { type: 'string', default: process.env.APP_KYMA_CATALOGUE_PATH } as const;
const text = { type: 'string' } as const;
const texts = { type: 'string', multiple: true, default: [] as string[] } as const;

const commands: Readonly<Record<string, (args: string[]) => Promise<void>>> = {
  add: addModule,
  'add-installer': addInstaller,
  mirror,
};

async function addModule(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    ...{ args, allowPositionals: true },
    options: {
      ...{ catalogue, manifest: text, cr: text, release: text, requires: texts, manager: text, channel: texts },
      minimal: { type: 'boolean', default: false },
    },
  });
  const [module, version, ...more] = positionals;
  const { manifest, cr, release, catalogue: path, requires, manager, minimal, channel: channels } = values;
  const given = complete({ module, version, manifest, cr, release, catalogue: path }, more);
  const options = { requires, manager, minimal, channels, log };
  const { sha256 } = await addToCatalogue({ ...given, path: given.catalogue, resource: given.cr, ...options });
  console.log(`${module} ${version} is in release ${release} of ${path}`);
  console.log(`SHA-256 of the manifest: ${sha256[0]}\nSHA-256 of the custom resource: ${sha256[1]}`);
}

async function addInstaller(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    ...{ args, allowPositionals: true },
    options: { catalogue, installer: text, tiller: text, component: texts, minimal: texts },
  });
  const [version, ...more] = positionals;
  const { catalogue: path, installer, tiller, component, minimal } = values;
  const given = complete({ version, installer, catalogue: path }, more);
  const components = component.map(parseComponent);
  const added = await addInstallerRelease({ ...given, path: given.catalogue, tiller, components, minimal, log });
  console.log(`Kyma ${version} is in ${path}, with ${added.components.map(({ name }) => name).join(', ')}`);
  console.log(`Runtimes that name no components get ${added.minimal.join(', ')}`);
  console.log(`SHA-256 of the installer: ${added.installer.sha256}`);
  if (added.tiller) console.log(`SHA-256 of Tiller: ${added.tiller.sha256}`);
}

async function mirror(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { catalogue } });
  const [into, ...more] = positionals;
  const given = complete({ folder: into, catalogue: values.catalogue }, more);
  const { fetched, present } = await fillMirror({ ...given, log });
  const { folder, catalogue: path } = given;
  console.log(`${fetched} files were fetched, ${present} were there already; ${folder} has all of ${path}`);
}

/** What was given, all of it. Throws an Error that says what is missing, or too much. */
function complete<Name extends string>(
  given: Readonly<Record<Name, string | undefined>>,
  more: readonly string[],
): Readonly<Record<Name, string>> {
  const missing = Object.entries(given).flatMap(([name, value]) => (value ? [] : [name]));
  if (missing.length > 0) throw new Error(`missing: ${missing.join(', ')}\n${usage}`);
  if (more.length > 0) throw new Error(`too much: ${more.join(' ')}\n${usage}`);
  return given as Readonly<Record<Name, string>>;
}

try {
  const [command = '', ...args] = process.argv.slice(2);
  const run = Object.hasOwn(commands, command) ? commands[command] : undefined;
  if (!run) throw new Error(usage);
  await run(args);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
