import { readFile, stat } from 'node:fs/promises';
import type { z } from 'zod';
import type { Logger } from '../../../domain/logger.ts';

/** A JSON file in which the operator of this service says something about clusters. It is read again when it has changed. */
export class PolicyFile<Contents> {
  readonly #path: string;
  readonly #schema: z.ZodType<Contents>;
  readonly #log: Logger;
  #read: { readonly stamp: string; readonly contents: Contents } | undefined;
  #refusedStamp: string | undefined;

  constructor({ path, schema, log }: { path: string; schema: z.ZodType<Contents>; log: Logger }) {
    this.#path = path;
    this.#schema = schema;
    this.#log = log;
  }

  /** Throws when there has never been a usable file; a file that was spoilt later is reported once, and not used. */
  async contents(): Promise<Contents> {
    try {
      const { mtimeMs, size, ino } = await stat(this.#path);
      const stamp = `${mtimeMs}-${size}-${ino}`;
      if (this.#read && (stamp === this.#read.stamp || stamp === this.#refusedStamp)) return this.#read.contents;
      this.#refusedStamp = stamp;
      this.#read = { stamp, contents: this.#parse(await readFile(this.#path, 'utf8')) };
    } catch (error) {
      if (!this.#read) throw error;
      this.#log.error({ err: error, path: this.#path }, 'a changed file cannot be used; the last good one is');
    }
    return this.#read.contents;
  }

  #parse(text: string): Contents {
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch (cause) {
      throw new Error(`${this.#path} is not JSON`, { cause });
    }
    const parsed = this.#schema.safeParse(json);
    if (parsed.success) return parsed.data;
    const mistakes = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw new Error(`${this.#path} cannot be used: ${mistakes.join('; ')}`);
  }
}
