interface Waiting<Key, Found> {
  readonly key: Key;
  readonly resolve: (found: Found | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Reads that come at the same time go together in one statement. Only a few such statements run at once: under load each
 * carries more reads, instead of more connections being taken, and a single read does not wait for others.
 */
export class GatheredReads<Key, Found> {
  readonly #read: (keys: readonly Key[]) => Promise<readonly (Found | undefined)[]>;
  readonly #atOnce: number;
  readonly #largest: number;
  #waiting: Waiting<Key, Found>[] = [];
  #running = 0;
  #scheduled = false;

  constructor({
    read,
    atOnce = 2,
    largest = 100,
  }: {
    /** Answers in the order of the keys. */
    read: (keys: readonly Key[]) => Promise<readonly (Found | undefined)[]>;
    /** Statements. */
    atOnce?: number;
    /** Reads in one statement. */
    largest?: number;
  }) {
    this.#read = read;
    this.#atOnce = atOnce;
    this.#largest = largest;
  }

  /** Throws what the statement throws that it was part of. */
  read(key: Key): Promise<Found | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<Found | undefined>();
    this.#waiting.push({ key, resolve, reject });
    if (!this.#scheduled) {
      this.#scheduled = true;
      // After all that has arrived is taken in.
      setImmediate(() => {
        this.#scheduled = false;
        this.#start();
      });
    }
    return promise;
  }

  #start(): void {
    while (this.#running < this.#atOnce && this.#waiting.length > 0) {
      this.#running += 1;
      void this.#run(this.#waiting.splice(0, this.#largest));
    }
  }

  async #run(together: readonly Waiting<Key, Found>[]): Promise<void> {
    try {
      const found = await this.#read(together.map(({ key }) => key));
      for (const [index, { resolve }] of together.entries()) resolve(found[index]);
    } catch (error) {
      for (const { reject } of together) reject(error);
    }
    this.#running -= 1;
    this.#start();
  }
}
