import { readRecords } from '../domain/json.ts';
import type { Logger } from '../domain/logger.ts';
import type { FetchedArtifact } from './describe-module-release.ts';
import { fetchArtifact } from './fetch-artifact.ts';
import type { InstallerRelease } from './installer-cr/installer-release.ts';
import { installerIn } from './installer-cr/release-objects.ts';
import { recordOf, rewriteCatalogue, withRedirectHosts } from './rewrite-catalogue.ts';

type Component = InstallerRelease['components'][number];

export interface InstallerReleaseAddition {
  /** Of the catalogue; made when it is missing. */
  readonly path: string;
  /** Of Kyma 1, such as `1.24.11`. */
  readonly version: string;
  /** Address of `kyma-installer-cluster.yaml`. */
  readonly installer: string;
  /** Address of `tiller.yaml`, which releases up to 1.13 need. */
  readonly tiller?: string | undefined;
  /** In the order of installation; those of the Installation in the installer's manifest when there are none here. */
  readonly components: readonly Component[];
  /** The components of a Runtime for which none are named; all of them when there are none here. */
  readonly minimal: readonly string[];
  readonly log: Logger;
}

/**
 * Adds a release of Kyma 1 to a catalogue, or replaces it there, with digests computed from what was fetched. The file is
 * replaced only by one that the service takes. Answers what was written; throws an Error that says what is wrong.
 */
export async function addInstallerRelease(addition: InstallerReleaseAddition): Promise<InstallerRelease> {
  const { path, version, log } = addition;
  const [installer, tiller] = await Promise.all([
    fetchArtifact(addition.installer),
    addition.tiller === undefined ? undefined : fetchArtifact(addition.tiller),
  ]);
  if (tiller) refuseWithoutDeployment(tiller);
  const { installation } = installerIn({ ...installer, url: addition.installer, release: version });
  const own = readRecords(installation, 'spec', 'components').map(readComponent);
  const components = addition.components.length > 0 ? addition.components : own;
  const minimal = addition.minimal.length > 0 ? addition.minimal : components.map(({ name }) => name);
  const entry: InstallerRelease = {
    installer: installer.reference,
    ...(tiller && { tiller: tiller.reference }),
    ...{ components: [...components], minimal: [...minimal] },
  };
  const redirectHosts = [...installer.redirectHosts, ...(tiller?.redirectHosts ?? [])];
  const change = (before: Record<string, unknown>) => {
    const installerReleases = { ...recordOf(before.installerReleases), [version]: entry };
    return withRedirectHosts({ ...before, installerReleases }, redirectHosts);
  };
  await rewriteCatalogue({ path, change, log });
  log.info({ path, version }, 'added a release of Kyma 1 to the catalogue');
  return entry;
}

function readComponent({ name, namespace }: Readonly<Record<string, unknown>>): Component {
  if (typeof name === 'string' && typeof namespace === 'string') return { name, namespace };
  throw new Error(`the Installation has a component without a name or a namespace: ${name ?? 'nameless'}`);
}

function refuseWithoutDeployment({ objects, reference }: FetchedArtifact): void {
  if (!objects.some(({ kind }) => kind === 'Deployment'))
    throw new Error(`${reference.url} has no Deployment of Tiller`);
}

/** Of `name=namespace`. Throws an Error for anything else. */
export function parseComponent(text: string): Component {
  const [name, namespace, ...more] = text.split('=');
  if (name && namespace && more.length === 0) return { name, namespace };
  throw new Error(`--component ${text} is not NAME=NAMESPACE, such as istio=istio-system`);
}
