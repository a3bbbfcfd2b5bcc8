import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';
import type { Logger } from '../domain/logger.ts';

export interface MetricsServer {
  readonly port: number;
  stop(): Promise<void>;
}

/** Serves `/metrics` on an address of its own, which stays inside the cluster. Throws when it cannot listen there. */
export async function startMetricsServer({
  address,
  registry,
  log,
}: {
  address: { readonly host: string; readonly port: number };
  registry: Registry;
  log: Logger;
}): Promise<MetricsServer> {
  const server = createServer(async (request, response) => {
    if (request.url?.split('?')[0] !== '/metrics' || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(404).end();
      return;
    }
    try {
      const text = await registry.metrics();
      response.writeHead(200, { 'content-type': registry.contentType }).end(text);
    } catch (error) {
      log.error({ err: error }, 'metrics cannot be collected');
      response.writeHead(500).end();
    }
  });
  server.listen(address.port, address.host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
