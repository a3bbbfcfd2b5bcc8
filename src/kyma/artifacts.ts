import { Failure } from '../domain/failures.ts';
import type { Logger } from '../domain/logger.ts';
import { orAbort } from '../domain/or-abort.ts';
import type { KubernetesObject } from '../kubernetes/kubernetes-client.ts';
import { type Download, type DownloadLimits, Downloads, defaultDownloadLimits, withoutQuery } from './downloads.ts';
import { parseManifest } from './manifest.ts';
import { mirrorAddress, readMirrored } from './mirror.ts';
import { sha256Of } from './sha256-of.ts';

/** A file of Kubernetes objects: where it is, and what it must be. */
export interface ArtifactReference {
  readonly url: string;
  /** SHA-256 of its bytes, in hexadecimal. */
  readonly sha256: string;
}

/** Hosts with their port, as in `URL.host`. */
export interface TrustedHosts {
  readonly artifacts: ReadonlySet<string>;
  readonly redirects: ReadonlySet<string>;
}

export interface ArtifactLimits extends DownloadLimits {
  /** Of everything kept in memory, measured in bytes downloaded. */
  readonly cacheBytes: number;
}

/** Artifacts that all replicas share and that outlive their origins, by their SHA-256. */
export interface ArtifactStore {
  has(sha256: string): Promise<boolean>;
  read(sha256: string): Promise<Buffer | undefined>;
  write(sha256: string, content: Buffer): Promise<void>;
}

const defaultLimits: ArtifactLimits = { ...defaultDownloadLimits, cacheBytes: 64 * 1024 * 1024 };

interface Kept {
  readonly objects: readonly KubernetesObject[];
  readonly bytes: number;
}

/**
 * Obtains manifests, once each: from memory, from the store, and else from the mirror, or from their own address when
 * there is no mirror. Whatever they come from, they are used only when their digest is the expected one. What was parsed
 * is kept, the least recently used goes first.
 */
export class Artifacts {
  readonly #trustedHosts: () => Promise<TrustedHosts>;
  readonly #limits: ArtifactLimits;
  readonly #log: Logger;
  readonly #mirror: URL | undefined;
  readonly #store: ArtifactStore | undefined;
  readonly #downloads: Downloads;
  readonly #kept = new Map<string, Kept>();
  readonly #underway = new Map<string, Promise<readonly KubernetesObject[]>>();
  #keptBytes = 0;

  constructor(options: {
    readonly trustedHosts: () => Promise<TrustedHosts>;
    /** Of the artifacts' own hosts; a mirror may be anywhere. */
    readonly privateAddresses: 'allowed' | 'refused';
    /** An address with https, or a folder with file: whose contents replace those of all addresses. */
    readonly mirror?: URL | undefined;
    readonly store?: ArtifactStore | undefined;
    readonly limits?: Partial<ArtifactLimits>;
    readonly log: Logger;
  }) {
    const { mirror, privateAddresses, limits } = options;
    this.#trustedHosts = options.trustedHosts;
    this.#limits = { ...defaultLimits, ...limits };
    this.#log = options.log;
    this.#mirror = mirror;
    this.#store = options.store;
    this.#downloads = new Downloads({ privateAddresses: mirror ? 'allowed' : privateAddresses, limits });
  }

  /**
   * The objects of an artifact, which are shared: do not change them. Throws KYMA_ARTIFACT_INVALID for what is not what
   * it should be; another error when it cannot be had now.
   */
  async objects(reference: ArtifactReference, signal?: AbortSignal): Promise<readonly KubernetesObject[]> {
    const kept = this.kept(reference);
    if (kept) return kept;
    let obtaining = this.#underway.get(reference.sha256);
    if (!obtaining) {
      obtaining = this.#obtain(reference).finally(() => this.#underway.delete(reference.sha256));
      this.#underway.set(reference.sha256, obtaining);
    }
    return orAbort(obtaining, signal);
  }

  /** What is in memory; undefined when it would have to be obtained. */
  kept({ sha256 }: ArtifactReference): readonly KubernetesObject[] | undefined {
    const kept = this.#kept.get(sha256);
    if (!kept) return undefined;
    this.#kept.delete(sha256);
    this.#kept.set(sha256, kept);
    return kept.objects;
  }

  /** Puts an artifact into the store unless it is there; true when it was not. Throws as `objects` does. */
  async prefetch(reference: ArtifactReference): Promise<boolean> {
    if (this.#store === undefined || (await this.#store.has(reference.sha256))) return false;
    await this.#store.write(reference.sha256, await this.#fetch(reference));
    return true;
  }

  close(): Promise<void> {
    return this.#downloads.close();
  }

  async #obtain(reference: ArtifactReference): Promise<readonly KubernetesObject[]> {
    const { url, sha256 } = reference;
    const stored = await this.#readStore(sha256);
    const bytes = stored ?? (await this.#fetch(reference));
    const objects = parse(bytes, url);
    this.#keep(sha256, { objects, bytes: bytes.length });
    if (stored === undefined) {
      this.#log.info({ url, bytes: bytes.length, objects: objects.length }, 'downloaded a Kyma artifact');
      await this.#writeStore(sha256, bytes);
    }
    return objects;
  }

  #keep(sha256: string, kept: Kept): void {
    this.#kept.set(sha256, kept);
    this.#keptBytes += kept.bytes;
    for (const [oldest, { bytes }] of this.#kept) {
      if (this.#keptBytes <= this.#limits.cacheBytes || oldest === sha256) return;
      this.#kept.delete(oldest);
      this.#keptBytes -= bytes;
    }
  }

  async #fetch({ url, sha256 }: ArtifactReference): Promise<Buffer> {
    const origin = new URL(url);
    const bytes = this.#mirror ? await this.#fetchMirrored(this.#mirror, origin) : await this.#fetchOriginal(origin);
    const digest = sha256Of(bytes);
    if (digest !== sha256) throw invalid(url, `its SHA-256 is ${digest}, but the catalogue says ${sha256}`);
    return bytes;
  }

  async #fetchOriginal(url: URL): Promise<Buffer> {
    const { artifacts: hosts, redirects } = await this.#trustedHosts();
    return this.#download({ url, hosts, redirects, namedBy: 'the catalogue' });
  }

  async #fetchMirrored(mirror: URL, origin: URL): Promise<Buffer> {
    const url = mirrorAddress(mirror, origin);
    if (url.protocol === 'file:') return readMirrored(url, this.#limits.bytes);
    const hosts = new Set([mirror.host]);
    return this.#download({ url, hosts, redirects: hosts, namedBy: 'APP_KYMA_ARTIFACTS_MIRROR' });
  }

  async #download(download: Omit<Download, 'what'>): Promise<Buffer> {
    const { bytes } = await this.#downloads.get({ what: 'Kyma artifact', ...download });
    return bytes;
  }

  /** Without the store, the artifact's origin still has it. */
  async #readStore(sha256: string): Promise<Buffer | undefined> {
    try {
      const stored = await this.#store?.read(sha256);
      if (stored === undefined || sha256Of(stored) === sha256) return stored;
      this.#log.error({ sha256 }, 'a stored Kyma artifact does not have its digest; it is not used');
    } catch (error) {
      this.#log.warn({ err: error }, 'cannot look for a Kyma artifact in the database');
    }
    return undefined;
  }

  async #writeStore(sha256: string, content: Buffer): Promise<void> {
    try {
      await this.#store?.write(sha256, content);
    } catch (error) {
      this.#log.warn({ err: error }, 'cannot keep a Kyma artifact in the database');
    }
  }
}

function parse(bytes: Buffer, url: string): readonly KubernetesObject[] {
  try {
    return parseManifest(bytes.toString('utf8'));
  } catch (cause) {
    throw invalid(url, cause instanceof Error ? cause.message : String(cause), cause);
  }
}

function invalid(url: string, reason: string, cause?: unknown): Failure {
  const where = withoutQuery(new URL(url));
  return new Failure('KYMA_ARTIFACT_INVALID', `the Kyma artifact ${where} cannot be used: ${reason}`, { cause });
}
