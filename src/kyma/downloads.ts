import { type LookupAddress, lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, request } from 'undici';
import { Failure } from '../domain/failures.ts';
import { isPublicAddress } from './public-address.ts';

export interface DownloadLimits {
  /** Of one file. */
  readonly bytes: number;
  /** Of one download, in milliseconds. */
  readonly milliseconds: number;
}

export const defaultDownloadLimits: DownloadLimits = { bytes: 16 * 1024 * 1024, milliseconds: 60_000 };
const mostRedirects = 3;

export interface Download {
  readonly url: URL;
  /** In messages, such as `Kyma artifact`. */
  readonly what: string;
  /** With their port, as in `URL.host`. */
  readonly hosts: ReadonlySet<string>;
  /** Hosts to which it may be redirected; any, when somebody vouches for what comes. */
  readonly redirects: ReadonlySet<string> | 'any';
  /** Who says which hosts may be asked, in messages. */
  readonly namedBy: string;
}

export interface Downloaded {
  readonly bytes: Buffer;
  readonly etag: string | undefined;
  /** Those that it was redirected to, in this order. */
  readonly redirectHosts: readonly string[];
}

/** `unchanged`: it is what the `etag` in the question stands for. */
type Answer = Omit<Downloaded, 'redirectHosts'> | { readonly location: string } | 'unchanged';

/**
 * Downloads files: only over HTTPS, only from hosts that are named, redirects included, bounded in size and time, and
 * from public addresses only unless private ones are allowed. Addresses are looked at when a connection is made, so that
 * a name cannot become another one in between.
 */
export class Downloads {
  readonly #limits: DownloadLimits;
  readonly #refusesPrivate: boolean;
  readonly #connections: Agent;

  constructor(options: {
    readonly privateAddresses: 'allowed' | 'refused';
    readonly limits?: Partial<DownloadLimits> | undefined;
  }) {
    this.#limits = { ...defaultDownloadLimits, ...options.limits };
    this.#refusesPrivate = options.privateAddresses === 'refused';
    this.#connections = connectionsTo(options.privateAddresses);
  }

  /** Throws KYMA_ARTIFACT_INVALID for what must not be used; another error when it cannot be had now. */
  async get(download: Download): Promise<Downloaded> {
    const downloaded = await this.getUnless(undefined, download);
    if (downloaded === undefined) throw new Error('nothing was said of what is there already');
    return downloaded;
  }

  /** The same; undefined when it is still what `etag` stands for. */
  async getUnless(etag: string | undefined, download: Download): Promise<Downloaded | undefined> {
    const signal = AbortSignal.timeout(this.#limits.milliseconds);
    const redirectHosts: string[] = [];
    let { url } = download;
    while (redirectHosts.length <= mostRedirects) {
      this.#refuseUntrusted(url, download, url === download.url ? download.hosts : download.redirects);
      const answer = await this.#request(url, download, etag, signal);
      if (answer === 'unchanged') return undefined;
      if ('bytes' in answer) return { ...answer, redirectHosts };
      url = new URL(answer.location, url);
      redirectHosts.push(url.host);
    }
    throw unusable(download, download.url, `it is redirected more than ${mostRedirects} times`);
  }

  close(): Promise<void> {
    return this.#connections.destroy();
  }

  async #request(url: URL, download: Download, present: string | undefined, signal: AbortSignal): Promise<Answer> {
    try {
      const conditions = present === undefined ? {} : { 'if-none-match': present };
      const answer = await request(url, { dispatcher: this.#connections, headers: conditions, signal });
      const { statusCode, headers, body } = answer;
      if (statusCode === 200) {
        const etag = typeof headers.etag === 'string' ? headers.etag : undefined;
        return { bytes: await this.#read(body, url, download), etag };
      }
      await body.dump();
      if (statusCode === 304 && present !== undefined) return 'unchanged';
      if (statusCode >= 300 && statusCode < 400 && typeof headers.location === 'string') {
        return { location: headers.location };
      }
      if (statusCode === 404 || statusCode === 410) {
        throw unusable(download, url, `it is not there (HTTP ${statusCode})`);
      }
      throw new Error(`HTTP ${statusCode}`);
    } catch (cause) {
      if (cause instanceof Failure) throw cause;
      if (cause instanceof PrivateAddress) throw unusable(download, download.url, cause.message);
      const reason = signal.aborted
        ? `it took longer than ${this.#limits.milliseconds} ms`
        : cause instanceof Error
          ? cause.message || cause.name
          : String(cause);
      throw new Error(`cannot download ${withoutQuery(url)}: ${reason}`, { cause });
    }
  }

  async #read(body: AsyncIterable<Buffer>, url: URL, download: Download): Promise<Buffer> {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of body) {
      size += chunk.length;
      if (size > this.#limits.bytes) throw unusable(download, url, `it is larger than ${this.#limits.bytes} bytes`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }

  #refuseUntrusted(url: URL, download: Download, hosts: ReadonlySet<string> | 'any'): void {
    const redirected = url === download.url ? '' : `it is redirected to ${withoutQuery(url)}, and `;
    const refuse = (reason: string) => unusable(download, download.url, `${redirected}${reason}`);
    if (url.protocol !== 'https:') throw refuse('only https is allowed');
    if (url.username || url.password) throw refuse('credentials in an address are not allowed');
    if (hosts !== 'any' && !hosts.has(url.host)) throw refuse(`${download.namedBy} does not name the host ${url.host}`);
    const address = url.hostname.replace(/^\[|\]$/g, '');
    // Of an address nothing is looked up.
    if (this.#refusesPrivate && isIP(address) !== 0 && !isPublicAddress(address)) {
      throw refuse(new PrivateAddress(address).message);
    }
  }
}

/** Connections that, where private addresses are refused, fail with `PrivateAddress` for a name that has one. */
export function connectionsTo(privateAddresses: 'allowed' | 'refused'): Agent {
  const connect = { timeout: 10_000, ...(privateAddresses === 'refused' && { lookup: lookupPublic }) };
  return new Agent({ connections: 8, connect });
}

export class PrivateAddress extends Error {
  readonly address: string;

  constructor(address: string, host = '') {
    const subject = host ? `${host} has the address ${address}, which` : address;
    super(`${subject} is not a public address, and APP_KYMA_PRIVATE_ADDRESSES_ALLOWED is false`);
    this.address = address;
  }
}

/** Looks names up as usual, and refuses those that have an address that is not public. */
const lookupPublic: LookupFunction = (host, options, callback) => {
  lookup(host, options, (error, found: string | LookupAddress[], family?: number) => {
    const addresses = Array.isArray(found) ? found.map(({ address }) => address) : found ? [found] : [];
    const wrong = error ? undefined : addresses.find((address) => !isPublicAddress(address));
    if (wrong === undefined) callback(error, found, family);
    else callback(new PrivateAddress(wrong, host), [], 0);
  });
};

function unusable({ what }: Download, url: URL, reason: string): Failure {
  return new Failure('KYMA_ARTIFACT_INVALID', `the ${what} ${withoutQuery(url)} cannot be used: ${reason}`);
}

/** Redirects of object stores carry signatures in their query. */
export function withoutQuery(url: URL): string {
  return url.protocol === 'file:' ? url.href : `${url.origin}${url.pathname}`;
}
