import { createSecureContext } from 'node:tls';
import { type Dispatcher, Pool } from 'undici';
import type { ClusterConnection, ConnectionSource } from './cluster-connection.ts';
import { UnreachableError } from './kubernetes-error.ts';
import { refuseAfterStandstill } from './refuse-after-standstill.ts';

export interface TransportSettings {
  readonly source: ConnectionSource;
  /** Sockets kept open at most; a watch holds one for as long as it runs. */
  readonly maxConnections: number;
  readonly connectTimeoutMs: number;
  /** From the request to the first byte of the answer; admission webhooks may take a while. */
  readonly answerTimeoutMs: number;
  /** How long a connection that is not used is kept open at most, whatever the server offers. */
  readonly keepAliveMs: number;
}

export interface TransportRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: string | undefined;
  readonly contentType?: string;
  readonly signal?: AbortSignal | undefined;
  /** The longest silence in the middle of an answer. */
  readonly silenceTimeoutMs?: number;
}

export type TransportAnswer = Dispatcher.ResponseData;

interface OpenPool {
  readonly connection: ClusterConnection;
  readonly pool: Dispatcher;
  readonly prefix: string;
}

/** Requests over kept-alive TLS connections, which are opened anew when the source gives other credentials. */
export class Transport {
  readonly #settings: TransportSettings;
  #open: OpenPool | undefined;
  #closed = false;

  constructor(settings: TransportSettings) {
    this.#settings = settings;
  }

  /** Any HTTP answer, 401 only when fresh credentials were refused as well. Throws UnreachableError without one. */
  async request(request: TransportRequest): Promise<TransportAnswer> {
    const connection = await this.#settings.source.current();
    const answer = await this.#send(connection, request);
    if (answer.statusCode !== 401) return answer;
    const renewed = await this.#settings.source.current({ rejected: connection });
    if (renewed === connection) return answer;
    await answer.body.dump();
    return this.#send(renewed, request);
  }

  /** Lets requests under way finish, for a moment. */
  async close(): Promise<void> {
    this.#closed = true;
    const pool = this.#open?.pool;
    if (!pool) return;
    const patience = setTimeout(() => void pool.destroy(), 5_000);
    patience.unref();
    await pool.close().finally(() => clearTimeout(patience));
  }

  async #send(connection: ClusterConnection, request: TransportRequest): Promise<TransportAnswer> {
    request.signal?.throwIfAborted();
    if (this.#closed) throw new UnreachableError(`the client of ${connection.server} is closed`);
    const { method, path, query = {}, body, contentType = 'application/json', signal } = request;
    const { credential } = connection;
    try {
      const { pool, prefix } = this.#poolFor(connection);
      const send = () =>
        pool.request({
          method,
          path: `${prefix}${path}${queryString(query)}`,
          headers: {
            accept: 'application/json',
            'user-agent': 'runtime-provisioner',
            ...(body !== undefined && { 'content-type': contentType }),
            ...(credential.kind === 'token' && { authorization: `Bearer ${credential.token.reveal()}` }),
          },
          body: body ?? null,
          headersTimeout: this.#settings.answerTimeoutMs,
          bodyTimeout: request.silenceTimeoutMs ?? this.#settings.answerTimeoutMs,
          ...(signal && { signal }),
        });
      return await send().catch((error: unknown) => {
        // The server closed a kept-alive connection at the moment it was used; nothing was lost by a read.
        if (method === 'GET' && !signal?.aborted && isSocketClosed(error)) return send();
        throw error;
      });
    } catch (error) {
      signal?.throwIfAborted();
      throw new UnreachableError(`${method} ${connection.server}${path}: ${describe(error)}`, { cause: error });
    }
  }

  #poolFor(connection: ClusterConnection): OpenPool {
    if (this.#open?.connection === connection) return this.#open;
    // Requests under way, and watches until the server ends them, go on over the old connections.
    this.#open?.pool.close().catch(() => undefined);
    const { certificateAuthority, tlsServerName, credential } = connection;
    const url = new URL(connection.server);
    const pool = new Pool(url.origin, {
      connections: this.#settings.maxConnections,
      keepAliveTimeout: this.#settings.keepAliveMs,
      keepAliveMaxTimeout: this.#settings.keepAliveMs,
      connect: {
        timeout: this.#settings.connectTimeoutMs,
        ...(tlsServerName !== undefined && { servername: tlsServerName }),
        // One for all connections: each would read the certificates and the key anew and hold them itself.
        secureContext: createSecureContext({
          ...(certificateAuthority !== undefined && { ca: certificateAuthority }),
          ...(credential.kind === 'clientCertificate' && {
            cert: credential.certificate,
            key: credential.key.reveal(),
          }),
        }),
      },
    }).compose(refuseAfterStandstill);
    this.#open = { connection, pool, prefix: url.pathname.replace(/\/+$/, '') };
    return this.#open;
  }
}

function queryString(query: Readonly<Record<string, string | undefined>>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, value);
  return parameters.size === 0 ? '' : `?${parameters}`;
}

function isSocketClosed(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE';
}

/** An AggregateError (one error per address that was tried) has an empty message of its own. */
export function describe(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return describe(error.errors[0]);
  return error instanceof Error ? error.message || error.name : String(error);
}
