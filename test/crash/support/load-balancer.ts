import assert from 'node:assert/strict';
import { eventually } from '../../harness/eventually.ts';
import type { GraphqlAnswer } from '../../harness/graphql-client.ts';
import type { ServiceProcess } from '../../harness/service-process.ts';

interface Backend {
  readonly process: ServiceProcess;
  ready: boolean;
  /** It has told by itself that no requests are to be sent to it. */
  hasTurnedAway: boolean;
}

const probeMillis = 100;

/**
 * What stands in front of several replicas: it asks each for `/readyz`, and sends requests in turn to those that are ready.
 * It tries another replica only where nothing can have been sent, which is a connection that was refused.
 */
export class LoadBalancer {
  /** Requests that were answered, and connections that were refused. */
  readonly counts = { answered: 0, refused: 0 };
  /** What became of requests that were not answered as they should be. */
  readonly lost: string[] = [];
  readonly #backends = new Map<ServiceProcess, Backend>();
  #turn = 0;

  add(process: ServiceProcess): void {
    const backend = { process, ready: true, hasTurnedAway: false };
    this.#backends.set(process, backend);
    void this.#probe(backend);
  }

  /** Forgets a replica that has ended; answers whether it had been known as not ready before. */
  remove(process: ServiceProcess): boolean {
    const backend = this.#backends.get(process);
    this.#backends.delete(process);
    return backend?.hasTurnedAway === true;
  }

  /** The GraphQL endpoint of the next one that is ready. */
  async pick(): Promise<string> {
    const { process } = await eventually('a replica to be ready', () => {
      const ready = [...this.#backends.values()].filter((backend) => backend.ready);
      return ready[this.#turn++ % ready.length];
    });
    return process.endpoint;
  }

  /** Answers the data; every error fails, and is among `lost`. */
  async ask<Data>(query: string, variables: object): Promise<Data> {
    try {
      return await this.#ask<Data>(query, variables);
    } catch (error) {
      this.lost.push((error as Error).message);
      throw error;
    }
  }

  async #ask<Data>(query: string, variables: object): Promise<Data> {
    const headers = { 'content-type': 'application/json', tenant: 'tenant-a' };
    const body = JSON.stringify({ query, variables });
    for (;;) {
      const endpoint = await this.pick();
      const response = await fetch(endpoint, { method: 'POST', headers, body }).catch((error: Error) => {
        const { code } = (error.cause ?? {}) as { code?: string };
        if (code !== 'ECONNREFUSED') throw new Error(`a request was lost: ${code} ${error.cause}`, { cause: error });
      });
      if (response === undefined) {
        this.counts.refused += 1;
        continue;
      }
      const text = await response.text();
      assert.equal(response.status, 200, text);
      const { data, errors = [] } = JSON.parse(text) as Partial<GraphqlAnswer<Data>>;
      assert.deepEqual(errors, []);
      this.counts.answered += 1;
      return data ?? assert.fail(text);
    }
  }

  async #probe(backend: Backend): Promise<void> {
    while (this.#backends.has(backend.process)) {
      // A connection of its own each time, as kubelets have it.
      const headers = { connection: 'close' };
      const status = await fetch(`${backend.process.origin}/readyz`, { headers }).then(
        async (response) => {
          await response.arrayBuffer();
          return response.status;
        },
        () => undefined,
      );
      backend.ready = status === 200;
      if (status === 503) backend.hasTurnedAway = true;
      await new Promise((resolve) => setTimeout(resolve, probeMillis).unref());
    }
  }
}
