import { readFile, stat } from 'node:fs/promises';
import { z } from 'zod';
import type { Logger } from '../domain/logger.ts';
import { artifactSchema as artifact } from './artifact-schema.ts';
import type { ArtifactReference, TrustedHosts } from './artifacts.ts';
import { installerRelease, releaseMistakes } from './installer-cr/installer-release.ts';
import { confidentialMapping, mappingMistakes } from './modules/confidential-mapping.ts';

/** One version of a module: what to apply, and how to tell whether it works. */
export const moduleRelease = z.strictObject({
  version: z.string().min(1),
  /** Where the module's objects live; its manifests rely on it. */
  namespace: z.string().min(1),
  /** Names of modules that must be there too. */
  requires: z.array(z.string()).default([]),
  manifest: artifact,
  defaultResource: artifact,
  /** Where confidential entries of the configuration go; there are no others. */
  confidential: z.array(confidentialMapping).default([]),
  /** The custom resource that switches the module on; without a namespace it is cluster-scoped. */
  resource: z.strictObject({
    apiVersion: z.string().min(1),
    kind: z.string().min(1),
    name: z.string().min(1),
    namespace: z.string().min(1).optional(),
  }),
  manager: z.strictObject({
    apiVersion: z.literal('apps/v1'),
    kind: z.literal('Deployment'),
    name: z.string().min(1),
    namespace: z.string().min(1),
  }),
});

const release = z.strictObject({
  modules: z.record(z.string(), moduleRelease),
  /** The modules of a Runtime for which none are named. */
  minimal: z.array(z.string()),
});

const catalogueFile = z
  .strictObject({
    description: z.string().optional(),
    channels: z.record(z.string(), z.string()),
    /** Releases of modules. */
    releases: z.record(z.string(), release),
    /** Releases of Kyma 1, which an installer in the cluster installs. */
    installerReleases: z.record(z.string(), installerRelease).default({}),
    /** Hosts (with port) from which callers may have components of Kyma 1 fetched, by `sourceURL`. */
    sourceHosts: z.array(z.string()).default([]),
    /** Hosts, besides those of the addresses in this file, to which a download may be redirected. */
    redirectHosts: z.array(z.string()).default([]),
  })
  .superRefine(({ channels, releases, installerReleases }, context) => {
    const refuse = (message: string, path: string[]) => context.addIssue({ code: 'custom', message, path });
    for (const [channel, id] of Object.entries(channels)) {
      if (!releases[id]) refuse(`there is no release "${id}"`, ['channels', channel]);
    }
    for (const [id, { modules, minimal }] of Object.entries(releases)) {
      const path = ['releases', id];
      for (const name of minimal.filter((name) => !modules[name])) refuse(`no module "${name}"`, [...path, 'minimal']);
      for (const [name, { requires, confidential }] of Object.entries(modules)) {
        for (const mistake of mappingMistakes(confidential))
          refuse(mistake, [...path, 'modules', name, 'confidential']);
        const missing = requires.filter((required) => !modules[required]);
        for (const required of missing) refuse(`no module "${required}"`, [...path, 'modules', name, 'requires']);
        if (requiresItself(name, modules)) refuse('the module requires itself', [...path, 'modules', name, 'requires']);
      }
    }
    for (const [id, entry] of Object.entries(installerReleases)) {
      const path = ['installerReleases', id];
      if (releases[id]) refuse('the name is that of a release of modules, too', path);
      for (const { field, message } of releaseMistakes(id, entry)) refuse(message, [...path, field]);
    }
  });

export type ModuleRelease = z.infer<typeof moduleRelease>;
export type KymaRelease = z.infer<typeof release>;
export type CatalogueContents = z.infer<typeof catalogueFile>;

/** Where the contents of the catalogue are from. */
export interface CatalogueSource {
  contents(): Promise<CatalogueContents>;
}

/** The catalogue of Kyma releases that the operator of this service provides, in a file. It is read again when it has changed. */
export class CatalogueFile implements CatalogueSource {
  readonly #path: string;
  readonly #log: Logger;
  #read: { readonly stamp: string; readonly contents: CatalogueContents } | undefined;
  #refusedStamp: string | undefined;

  constructor(options: { readonly path: string; readonly log: Logger }) {
    this.#path = options.path;
    this.#log = options.log;
  }

  /** Throws when there has never been a usable file; a file that was spoilt later is reported once, and not used. */
  async contents(): Promise<CatalogueContents> {
    try {
      const { mtimeMs, size, ino } = await stat(this.#path);
      const stamp = `${mtimeMs}-${size}-${ino}`;
      if (this.#read && (stamp === this.#read.stamp || stamp === this.#refusedStamp)) return this.#read.contents;
      this.#refusedStamp = stamp;
      this.#read = { stamp, contents: parseCatalogue(await readFile(this.#path, 'utf8'), this.#path) };
    } catch (error) {
      if (!this.#read) throw error;
      this.#log.error(
        { err: error, path: this.#path },
        'the changed Kyma catalogue cannot be used; the last good one is',
      );
    }
    return this.#read.contents;
  }

  async trustedHosts(): Promise<TrustedHosts> {
    return trustedHostsOf(await this.contents());
  }
}

/** Every file that a catalogue names. */
export function artifactsOf({ releases, installerReleases }: CatalogueContents): readonly ArtifactReference[] {
  const modules = Object.values(releases).flatMap((each) => Object.values(each.modules));
  const all = [
    ...modules.flatMap(({ manifest, defaultResource }) => [manifest, defaultResource]),
    ...Object.values(installerReleases).flatMap(({ installer, tiller }) =>
      tiller ? [installer, tiller] : [installer],
    ),
  ];
  return [...new Map(all.map((reference) => [`${reference.sha256} ${reference.url}`, reference])).values()];
}

/** The hosts from which artifacts may come. */
export function trustedHostsOf(contents: CatalogueContents): TrustedHosts {
  const artifacts = new Set(artifactsOf(contents).map(({ url }) => new URL(url).host));
  return { artifacts, redirects: new Set([...artifacts, ...contents.redirectHosts]) };
}

/** Throws an Error that names all mistakes; `path` is where the text is from. */
export function parseCatalogue(text: string, path: string): CatalogueContents {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new Error(`the Kyma catalogue ${path} is not JSON`, { cause });
  }
  const parsed = catalogueFile.safeParse(json);
  if (parsed.success) return parsed.data;
  const mistakes = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new Error(`the Kyma catalogue ${path} cannot be used: ${mistakes.join('; ')}`);
}

function requiresItself(name: string, modules: KymaRelease['modules']): boolean {
  const seen = new Set<string>();
  const next = [...(modules[name]?.requires ?? [])];
  for (let required = next.pop(); required !== undefined; required = next.pop()) {
    if (required === name) return true;
    if (seen.has(required)) continue;
    seen.add(required);
    next.push(...(modules[required]?.requires ?? []));
  }
  return false;
}
