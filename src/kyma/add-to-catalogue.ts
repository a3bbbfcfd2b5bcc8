import { readPath } from '../domain/json.ts';
import type { Logger } from '../domain/logger.ts';
import { describeModuleRelease } from './describe-module-release.ts';
import { fetchArtifact } from './fetch-artifact.ts';
import { recordOf, rewriteCatalogue, stringsOf, withRedirectHosts } from './rewrite-catalogue.ts';

export interface CatalogueAddition {
  /** Of the catalogue; made when it is missing. */
  readonly path: string;
  /** The release that gets the module; made when it is missing. */
  readonly release: string;
  readonly module: string;
  readonly version: string;
  /** Addresses of the manifest and of the default custom resource. */
  readonly manifest: string;
  readonly resource: string;
  readonly requires: readonly string[];
  readonly manager?: string | undefined;
  /** Whether Runtimes for which no modules are named get it. */
  readonly minimal: boolean;
  /** Channels that are to point to the release. */
  readonly channels: readonly string[];
  readonly log: Logger;
}

/**
 * Adds a module to a release of a catalogue, or replaces it there, with digests computed from what was fetched. The file
 * is replaced only by one that the service takes. Throws an Error that says what is wrong.
 */
export async function addToCatalogue(addition: CatalogueAddition): Promise<{ readonly sha256: readonly string[] }> {
  const { path, module, version, requires, manager, log } = addition;
  const [manifest, defaultResource] = await Promise.all([
    fetchArtifact(addition.manifest),
    fetchArtifact(addition.resource),
  ]);
  const entry = describeModuleRelease({ version, manifest, defaultResource, requires, manager });
  const redirectHosts = [...manifest.redirectHosts, ...defaultResource.redirectHosts];
  const change = (before: Record<string, unknown>) =>
    withRedirectHosts(withModule(before, { ...addition, entry }), redirectHosts);
  await rewriteCatalogue({ path, change, log });
  log.info({ path, module, version, release: addition.release }, 'added a module to the catalogue');
  return { sha256: [manifest.reference.sha256, defaultResource.reference.sha256] };
}

function withModule(
  before: Record<string, unknown>,
  {
    release,
    module,
    entry,
    minimal,
    channels,
  }: Pick<CatalogueAddition, 'release' | 'module' | 'minimal' | 'channels'> & {
    readonly entry: object;
  },
): Record<string, unknown> {
  const releases = recordOf(before.releases);
  const current = recordOf(releases[release]);
  const modules = recordOf(current.modules);
  const { confidential } = recordOf(modules[module]);
  const names = stringsOf(readPath(current, 'minimal'));
  return {
    ...before,
    channels: { ...recordOf(before.channels), ...Object.fromEntries(channels.map((name) => [name, release])) },
    releases: {
      ...releases,
      [release]: {
        ...current,
        // How confidential entries are mapped is in no file of a release.
        modules: { ...modules, [module]: { ...entry, ...(confidential !== undefined && { confidential }) } },
        minimal: minimal ? [...new Set([...names, module])] : names,
      },
    },
  };
}
