import { createHash } from 'node:crypto';
import { Agent, request } from 'undici';
import { Failure } from '../domain/failures.ts';
import type { Logger } from '../domain/logger.ts';
import { orAbort } from '../domain/or-abort.ts';
import type { KubernetesObject } from '../kubernetes/kubernetes-client.ts';
import { parseManifest } from './manifest.ts';

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

export interface ArtifactLimits {
  /** Of one artifact. */
  readonly bytes: number;
  /** Of one download, in milliseconds. */
  readonly milliseconds: number;
  /** Of everything kept, measured in bytes downloaded. */
  readonly cacheBytes: number;
}

const defaultLimits: ArtifactLimits = { bytes: 16 * 1024 * 1024, milliseconds: 60_000, cacheBytes: 64 * 1024 * 1024 };
const mostRedirects = 3;

interface Kept {
  readonly objects: readonly KubernetesObject[];
  readonly bytes: number;
}

/**
 * Downloads manifests, once each: only over HTTPS, only from trusted hosts (redirects included), bounded in size and
 * time, and used only when their digest is the expected one. What was parsed is kept, the least recently used goes first.
 */
export class Artifacts {
  readonly #trustedHosts: () => Promise<TrustedHosts>;
  readonly #limits: ArtifactLimits;
  readonly #log: Logger;
  readonly #connections: Agent;
  readonly #kept = new Map<string, Kept>();
  readonly #underway = new Map<string, Promise<readonly KubernetesObject[]>>();
  #keptBytes = 0;

  constructor(options: {
    readonly trustedHosts: () => Promise<TrustedHosts>;
    readonly limits?: Partial<ArtifactLimits>;
    readonly log: Logger;
  }) {
    this.#trustedHosts = options.trustedHosts;
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#log = options.log;
    this.#connections = new Agent({ connections: 8, connect: { timeout: 10_000 } });
  }

  /**
   * The objects of an artifact, which are shared: do not change them. Throws KYMA_ARTIFACT_INVALID for what is not what
   * it should be; another error when it cannot be had now.
   */
  async objects(reference: ArtifactReference, signal?: AbortSignal): Promise<readonly KubernetesObject[]> {
    const kept = this.kept(reference);
    if (kept) return kept;
    let download = this.#underway.get(reference.sha256);
    if (!download) {
      download = this.#obtain(reference).finally(() => this.#underway.delete(reference.sha256));
      this.#underway.set(reference.sha256, download);
    }
    return orAbort(download, signal);
  }

  /** What is in memory; undefined when it would have to be downloaded. */
  kept({ sha256 }: ArtifactReference): readonly KubernetesObject[] | undefined {
    const kept = this.#kept.get(sha256);
    if (!kept) return undefined;
    this.#kept.delete(sha256);
    this.#kept.set(sha256, kept);
    return kept.objects;
  }

  close(): Promise<void> {
    return this.#connections.destroy();
  }

  async #obtain(reference: ArtifactReference): Promise<readonly KubernetesObject[]> {
    const { url, sha256 } = reference;
    const bytes = await this.#download(new URL(url));
    const digest = createHash('sha256').update(bytes).digest('hex');
    if (digest !== sha256) {
      throw invalid(url, `its SHA-256 is ${digest}, but the catalogue says ${sha256}`);
    }
    const objects = parse(bytes, url);
    this.#keep(sha256, { objects, bytes: bytes.length });
    this.#log.info({ url, bytes: bytes.length, objects: objects.length }, 'downloaded a Kyma artifact');
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

  async #download(start: URL): Promise<Buffer> {
    const trusted = await this.#trustedHosts();
    const signal = AbortSignal.timeout(this.#limits.milliseconds);
    let url = start;
    for (let redirects = 0; redirects <= mostRedirects; redirects++) {
      refuseUntrusted(url, start, redirects === 0 ? trusted.artifacts : trusted.redirects);
      const answer = await this.#request(url, signal);
      if (answer.location === undefined) return answer.bytes;
      url = new URL(answer.location, url);
    }
    throw invalid(start.href, `it is redirected more than ${mostRedirects} times`);
  }

  async #request(
    url: URL,
    signal: AbortSignal,
  ): Promise<{ bytes: Buffer; location?: undefined } | { location: string }> {
    try {
      const { statusCode, headers, body } = await request(url, { dispatcher: this.#connections, signal });
      if (statusCode === 200) return { bytes: await this.#read(body, url) };
      await body.dump();
      if (statusCode >= 300 && statusCode < 400 && typeof headers.location === 'string') {
        return { location: headers.location };
      }
      if (statusCode === 404 || statusCode === 410) throw invalid(url.href, `it is not there (HTTP ${statusCode})`);
      throw new Error(`HTTP ${statusCode}`);
    } catch (cause) {
      if (cause instanceof Failure) throw cause;
      const reason = signal.aborted
        ? `it took longer than ${this.#limits.milliseconds} ms`
        : cause instanceof Error
          ? cause.message || cause.name
          : String(cause);
      throw new Error(`cannot download ${withoutQuery(url)}: ${reason}`, { cause });
    }
  }

  async #read(body: AsyncIterable<Buffer>, url: URL): Promise<Buffer> {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of body) {
      size += chunk.length;
      if (size > this.#limits.bytes) throw invalid(url.href, `it is larger than ${this.#limits.bytes} bytes`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }
}

function refuseUntrusted(url: URL, start: URL, hosts: ReadonlySet<string>): void {
  const redirected = url === start ? '' : `it is redirected to ${withoutQuery(url)}, and `;
  if (url.protocol !== 'https:') throw invalid(start.href, `${redirected}only https is allowed`);
  if (url.username || url.password) throw invalid(start.href, `${redirected}credentials in an address are not allowed`);
  if (!hosts.has(url.host)) throw invalid(start.href, `${redirected}the catalogue does not name the host ${url.host}`);
}

function parse(bytes: Buffer, url: string): readonly KubernetesObject[] {
  try {
    return parseManifest(bytes.toString('utf8'));
  } catch (cause) {
    throw invalid(url, cause instanceof Error ? cause.message : String(cause), cause);
  }
}

function invalid(url: string, reason: string, cause?: unknown): Failure {
  return new Failure(
    'KYMA_ARTIFACT_INVALID',
    `the Kyma artifact ${withoutQuery(new URL(url))} cannot be used: ${reason}`,
    {
      cause,
    },
  );
}

/** Redirects of object stores carry signatures in their query. */
function withoutQuery(url: URL): string {
  return `${url.origin}${url.pathname}`;
}
