import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { createCertificateAuthority } from '../../landscape/tls/certificate-authority.ts';
import { Secret } from '../../src/domain/secret.ts';
import type { ClusterConnection } from '../../src/kubernetes/cluster-connection.ts';

export type Handler = (request: SeenRequest, response: ServerResponse, raw: IncomingMessage) => void;

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/**
 * A TLS server whose answers a test writes byte by byte: for what no well-behaved API server does, such as breaking off
 * in the middle of a line.
 */
export async function scriptedServer(handler: Handler) {
  const authority = createCertificateAuthority({ name: 'scripted' });
  const { certificate, key } = authority.issueServerCertificate();
  const seen: SeenRequest[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer({ cert: certificate, key }, async (request, response) => {
    const url = new URL(request.url ?? '/', 'https://localhost');
    let body = '';
    for await (const chunk of request) body += chunk;
    const { method = 'GET', headers } = request;
    const one: SeenRequest = { method, path: url.pathname, query: url.searchParams, headers, body };
    seen.push(one);
    handler(one, response, request);
  });
  // Longer than any test: a connection that is closed was closed by the client.
  server.keepAliveTimeout = 600_000;
  server.on('secureConnection', () => {
    connections += 1;
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const connection: ClusterConnection = {
    server: `https://127.0.0.1:${port}/prefix`,
    certificateAuthority: authority.certificate,
    credential: { kind: 'token', token: new Secret('token-1') },
  };
  return {
    connection,
    authority,
    seen,
    get connections() {
      return connections;
    },
    get openConnections() {
      return sockets.size;
    },
    breakConnections() {
      for (const socket of sockets) socket.destroy();
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function answer(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

export function statusObject(code: number, reason: string, message: string, details?: object) {
  return { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message, details };
}
