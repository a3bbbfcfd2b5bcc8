import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import type { CertificateAuthority } from '../tls/certificate-authority.ts';
import { authenticate } from './authentication.ts';
import { buildKubeconfig } from './kubeconfig.ts';
import type { KubernetesApi } from './kubernetes-api.ts';
import { readBody } from './request-body.ts';
import { errorReply, type Reply, sendReply } from './request-handler.ts';
import { type RequestInfo, requestInfo } from './request-info.ts';
import type { User } from './resource-type.ts';
import { type StatusError, unauthorized } from './status-error.ts';
import type { WatchEnding } from './watch-hub.ts';

/** What can be done to a request instead of, or around, answering it. */
export type Fault =
  /** Waits, then goes on with the next fault or the real answer. */
  | { readonly kind: 'delay'; readonly milliseconds: number; readonly next?: Fault }
  /** Answers the error; nothing happens. */
  | { readonly kind: 'status'; readonly error: StatusError }
  /** Answers anything at all, such as a page of a gateway; nothing happens. */
  | { readonly kind: 'reply'; readonly reply: Reply }
  /** Breaks the connection; nothing happens. */
  | { readonly kind: 'drop' }
  /** Does what was asked, then breaks the connection instead of answering. */
  | { readonly kind: 'lose-reply' };

/** A request as the hooks see it. */
export interface ServerRequestInfo extends RequestInfo {
  /** The API's name. */
  readonly api: string;
  readonly user: User;
  /** Undefined when it could not be read. */
  readonly body: Buffer | undefined;
  readonly headers: IncomingHttpHeaders;
}

export interface KubernetesServerOptions {
  /** 0 takes any free port. */
  readonly port: number;
  readonly authority: CertificateAuthority;
  readonly apis?: readonly KubernetesApi[];
  /** Asked for every authenticated request before it has any effect. */
  readonly before?: (info: ServerRequestInfo) => Fault | undefined | Promise<Fault | undefined>;
  /** Asked for each of them once it was carried out; false breaks the connection instead of answering. */
  readonly mayAnswer?: (info: ServerRequestInfo) => Promise<boolean>;
  /** Told of every request when its answer is complete; status 0 stands for an answer that never came. */
  readonly log?: (info: ServerRequestInfo, outcome: { status: number; milliseconds: number }) => void;
  /** Groups whose members only read. */
  readonly readOnlyGroups?: readonly string[];
}

export interface IssueKubeconfigRequest {
  readonly api: string;
  readonly user: string;
  readonly groups: readonly string[];
  readonly lifetimeSeconds: number;
  /** Names cluster, user and context; the API's name by default. */
  readonly name?: string;
  readonly namespace?: string;
}

export interface KubernetesServer {
  readonly port: number;
  /** Without a path: `https://127.0.0.1:<port>`. */
  readonly url: string;
  urlOf(api: string): string;
  /** Serves an API under its name, from now on. */
  add(api: KubernetesApi): void;
  /** Stops serving an API and closes it. False when it was not served. */
  remove(name: string): boolean;
  /** A kubeconfig with a client certificate of its own. */
  issueKubeconfig(request: IssueKubeconfigRequest): { readonly kubeconfig: string; readonly expiresAt: Date };
  /** Ends running watches of one API or all. */
  dropWatches(options?: Partial<WatchEnding> & { readonly api?: string }): void;
  close(): Promise<void>;
}

const defaultReadOnlyGroups = ['gardener.cloud:system:viewers'];

/** Serves any number of APIs on one HTTPS listener of 127.0.0.1; the first segments of the path say which one. */
export async function startKubernetesServer(options: KubernetesServerOptions): Promise<KubernetesServer> {
  const { authority } = options;
  const apis = new Map((options.apis ?? []).map((api) => [api.name, api]));
  const readOnlyGroups = new Set(options.readOnlyGroups ?? defaultReadOnlyGroups);
  const { certificate, key } = authority.issueServerCertificate();
  const server = createServer({
    cert: certificate,
    key,
    ca: authority.certificate,
    requestCert: true,
    // Bearer tokens are as good as certificates, so a connection may come without one.
    rejectUnauthorized: false,
    ALPNProtocols: ['http/1.1'],
    keepAliveTimeout: 60_000,
    requestTimeout: 0,
  });
  server.on('request', (request, response) => {
    void serveRequest({ request, response, apis, readOnlyGroups, options });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server has no address');
  const url = `https://127.0.0.1:${address.port}`;

  return {
    port: address.port,
    url,
    urlOf: (api) => `${url}/${api}`,
    add: (api) => {
      apis.set(api.name, api);
    },
    remove: (name) => {
      apis.get(name)?.close();
      return apis.delete(name);
    },
    issueKubeconfig: ({ api, user, groups, lifetimeSeconds, name = api, namespace }) => {
      const issued = authority.issueClientCertificate({ user, groups, api, lifetimeSeconds });
      const kubeconfig = buildKubeconfig({
        name,
        server: `${url}/${api}`,
        authority: authority.certificate,
        credential: { kind: 'certificate', certificate: issued.certificate, key: issued.key },
        ...(namespace === undefined ? {} : { namespace }),
      });
      return { kubeconfig, expiresAt: issued.expiresAt };
    },
    dropWatches: ({ api: name, how = 'reset', resource } = {}) => {
      for (const api of apis.values()) {
        if (name !== undefined && name !== api.name) continue;
        api.endWatches({ how, ...(resource === undefined ? {} : { resource }) });
      }
    },
    close: async () => {
      for (const api of apis.values()) api.close();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function serveRequest({
  request,
  response,
  apis,
  readOnlyGroups,
  options,
}: {
  request: IncomingMessage;
  response: ServerResponse;
  apis: ReadonlyMap<string, KubernetesApi>;
  readOnlyGroups: ReadonlySet<string>;
  options: KubernetesServerOptions;
}): Promise<void> {
  const found = findApi(apis, request.url ?? '/');
  // As with the address of a cluster that is gone: nobody is there to answer.
  if (found === undefined) return void response.destroy();
  const { api, url } = found;
  const about = requestInfo(request.method ?? 'GET', url);
  const isPublic = about.target.kind === 'health' || about.target.kind === 'version';
  const user = authenticate(request, api, readOnlyGroups) ?? (isPublic ? anonymous : undefined);
  if (user === undefined) return sendReply(response, errorReply(unauthorized()));

  // Read now, so that a request which is kept waiting has its effect also when its client does not wait.
  const body = await readBody(request).catch(() => undefined);
  const info: ServerRequestInfo = { ...about, api: api.name, user, body, headers: request.headers };
  const start = performance.now();
  response.once('close', () => {
    const status = response.headersSent ? response.statusCode : 0;
    options.log?.(info, { status, milliseconds: performance.now() - start });
  });
  try {
    let fault = await options.before?.(info);
    while (fault?.kind === 'delay') {
      // Keeps no process alive that has nothing else to do.
      await delay(fault.milliseconds, undefined, { ref: false });
      fault = fault.next;
    }
    if (fault?.kind === 'drop') {
      response.destroy();
    } else if (fault?.kind === 'status') {
      sendReply(response, errorReply(fault.error));
    } else if (fault?.kind === 'reply') {
      sendReply(response, fault.reply);
    } else {
      const mayAnswer = fault?.kind === 'lose-reply' ? () => false : () => options.mayAnswer?.(info) ?? true;
      await api.handle(request, response, { path: about.path, user, mayAnswer });
    }
  } catch (error) {
    sendReply(response, errorReply(error));
  }
}

const anonymous: User = { name: 'system:anonymous', groups: ['system:unauthenticated'], readOnly: true };

/** Names have one segment or more: `/garden/api`, `/clusters/<id>/api`. */
function findApi(
  apis: ReadonlyMap<string, KubernetesApi>,
  url: string,
): { readonly api: KubernetesApi; readonly url: string } | undefined {
  const [path = '/'] = url.split('?', 1);
  for (let end = path.indexOf('/', 1); ; end = path.indexOf('/', end + 1)) {
    const name = path.slice(1, end < 0 ? undefined : end);
    const api = apis.get(name);
    if (api !== undefined) return { api, url: url.slice(name.length + 1) || '/' };
    if (end < 0) return undefined;
  }
}
