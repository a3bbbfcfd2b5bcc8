import { Failure } from '../domain/failures.ts';
import type { Logger } from '../domain/logger.ts';
import { type CatalogueContents, type CatalogueSource, parseCatalogue } from './catalogue-file.ts';
import type { Downloads } from './downloads.ts';
import { sha256Of } from './sha256-of.ts';

/** A catalogue as it was read from an address. */
export interface ReadCatalogue {
  readonly content: string;
  readonly etag: string | undefined;
}

/** The last good contents, shared by all replicas. */
export interface CatalogueStore {
  read(url: string): Promise<ReadCatalogue | undefined>;
  write(url: string, catalogue: ReadCatalogue): Promise<void>;
}

/**
 * The catalogue of Kyma releases at an address, over HTTPS. `refresh` looks whether it has changed; a change that cannot
 * be used is told, and the last good contents stay in force. They outlive restarts and an address that does not answer.
 */
export class CatalogueAddress implements CatalogueSource {
  readonly #url: URL;
  readonly #sha256: string | undefined;
  readonly #downloads: Downloads;
  readonly #store: CatalogueStore;
  readonly #log: Logger;
  #current: { readonly contents: CatalogueContents; readonly etag: string | undefined } | undefined;
  #underway: Promise<CatalogueContents> | undefined;

  constructor(options: {
    readonly url: URL;
    /** The only contents that may be used; when not given, whoever answers at the address is trusted. */
    readonly sha256?: string | undefined;
    readonly downloads: Downloads;
    readonly store: CatalogueStore;
    readonly log: Logger;
  }) {
    this.#url = options.url;
    this.#sha256 = options.sha256;
    this.#downloads = options.downloads;
    this.#store = options.store;
    this.#log = options.log;
  }

  /** Throws KYMA_CATALOGUE_UNAVAILABLE when there have never been any that could be used. */
  async contents(): Promise<CatalogueContents> {
    return this.#current?.contents ?? this.#first();
  }

  /** Throws when it cannot be had, or not be used; `contents` stays what it was. */
  async refresh(): Promise<void> {
    await this.#fetchOnce();
  }

  #fetchOnce(): Promise<CatalogueContents> {
    this.#underway ??= this.#fetch().finally(() => {
      this.#underway = undefined;
    });
    return this.#underway;
  }

  async #first(): Promise<CatalogueContents> {
    try {
      return await this.#fetchOnce();
    } catch (cause) {
      const stored = await this.#readStored();
      if (stored !== undefined) {
        this.#log.warn({ err: cause, url: this.#url.href }, 'the Kyma catalogue is the one that was read last');
        return stored;
      }
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new Failure('KYMA_CATALOGUE_UNAVAILABLE', `there is no catalogue of Kyma releases: ${reason}`, { cause });
    }
  }

  async #fetch(): Promise<CatalogueContents> {
    const before = this.#current;
    const host = new Set([this.#url.host]);
    const what = { url: this.#url, what: 'Kyma catalogue', namedBy: 'APP_KYMA_CATALOGUE_URL' };
    const downloaded = await this.#downloads.getUnless(before?.etag, { ...what, hosts: host, redirects: host });
    if (downloaded === undefined) {
      if (before) return before.contents;
      throw new Error('it is said to be what it was, and it was never read');
    }
    const { bytes, etag } = downloaded;
    const content = bytes.toString('utf8');
    const contents = this.#accept(content, etag);
    await this.#store.write(this.#url.href, { content, etag });
    return contents;
  }

  /** What another replica, or this one before its start, has read last. */
  async #readStored(): Promise<CatalogueContents | undefined> {
    try {
      const stored = await this.#store.read(this.#url.href);
      return stored && this.#accept(stored.content, stored.etag);
    } catch (error) {
      this.#log.warn({ err: error }, 'the stored Kyma catalogue cannot be used');
      return undefined;
    }
  }

  #accept(content: string, etag: string | undefined): CatalogueContents {
    const digest = sha256Of(content);
    if (this.#sha256 !== undefined && digest !== this.#sha256) {
      const rule = `APP_KYMA_CATALOGUE_SHA256 says ${this.#sha256}`;
      throw new Error(`the Kyma catalogue ${this.#url.href} cannot be used: its SHA-256 is ${digest}, but ${rule}`);
    }
    const contents = parseCatalogue(content, this.#url.href);
    this.#current = { contents, etag };
    return contents;
  }
}
