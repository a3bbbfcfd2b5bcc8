import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import type { Faults, Target } from './control/faults.ts';
import type { Gate } from './control/gate.ts';
import type { RequestLog } from './control/request-log.ts';

export interface WebRequest {
  readonly method: string;
  /** With its query string. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Of a client certificate that the authority for clients has issued. */
  readonly clientSubject?: Readonly<Record<string, string | readonly string[] | undefined>>;
}

export interface WebResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

export interface WebRoute {
  readonly prefix: string;
  readonly target: Target;
  readonly handle: (request: WebRequest) => WebResponse | Promise<WebResponse>;
}

export interface WebServer {
  /** `https://127.0.0.1:<port>`. */
  readonly url: string;
  /** From now on the first route whose prefix matches answers. */
  serve(routes: readonly WebRoute[]): void;
  /** As the network might: clients have to connect again. */
  dropConnections(): void;
  close(): Promise<void>;
}

export interface WebServerOptions {
  readonly port: number;
  readonly credentials: { readonly key: string; readonly cert: string };
  /** PEM: whose certificates clients may show. None has to. */
  readonly clientAuthority?: string;
  /** What is served from the first request on; `serve` replaces it. */
  readonly routes?: (url: string) => readonly WebRoute[];
  readonly faults: Faults;
  readonly requests: RequestLog;
  readonly gate?: Gate;
}

const bodyLimit = 3 * 1024 * 1024;

/** Serves what is not a Kubernetes API (Director, OAuth2, Connector, artifacts) over HTTPS, faults included. */
export async function startWebServer(options: WebServerOptions): Promise<WebServer> {
  let routes: readonly WebRoute[] = [];
  const ca = options.clientAuthority;
  const mutual = ca === undefined ? {} : { requestCert: true, rejectUnauthorized: false, ca };
  const server = createServer({ ...options.credentials, ...mutual, keepAlive: true }, (request, response) => {
    serve(request, response, routes, options).catch(() => response.destroy());
  });
  server.keepAliveTimeout = 60_000;
  await listen(server, options.port);
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  routes = options.routes?.(url) ?? [];
  return {
    url,
    serve(given) {
      routes = given;
    },
    dropConnections: () => server.closeAllConnections(),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

export function jsonResponse(status: number, body: unknown): WebResponse {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  routes: readonly WebRoute[],
  { faults, requests, gate }: WebServerOptions,
): Promise<void> {
  const path = request.url ?? '/';
  const method = request.method ?? 'GET';
  const route = routes.find(({ prefix }) => path.startsWith(prefix));
  if (!route) return send(response, jsonResponse(404, { error: `no such path: ${path}` }));
  const body = await readBody(request);
  if (body === undefined) return send(response, jsonResponse(413, { error: 'request body is too large' }));
  const { target } = route;
  const held = { target, method, path, body, headers: request.headers };
  const isLet = (await gate?.lets({ ...held, moment: 'arrived' })) ?? true;
  const fault = isLet ? faults.take({ target, method, path, body }) : ({ kind: 'drop' } as const);
  const log = (status: number) => requests.add({ target, method, path, status });
  if (fault?.kind === 'delay') await sleep(fault.milliseconds, undefined, { ref: false });
  if (fault?.kind === 'stall') await fault.over;
  if (fault?.kind === 'drop') {
    log(0);
    response.destroy();
    return;
  }
  if (fault?.kind === 'status') {
    log(fault.status);
    const text = typeof fault.body === 'string' ? fault.body : JSON.stringify(fault.body ?? {});
    return send(response, { status: fault.status, headers: fault.headers ?? {}, body: text });
  }
  const socket = request.socket as TLSSocket;
  const clientSubject = socket.authorized ? { ...socket.getPeerCertificate().subject } : undefined;
  const asked = { method, path, headers: request.headers, body, ...(clientSubject && { clientSubject }) };
  const answer = await route.handle(asked);
  if (fault?.kind === 'loseReply' || (await gate?.lets({ ...held, moment: 'carried-out' })) === false) {
    log(0);
    response.destroy();
    return;
  }
  log(answer.status);
  send(response, answer);
}

function send(response: ServerResponse, { status, headers, body }: WebResponse): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > bodyLimit) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
}
