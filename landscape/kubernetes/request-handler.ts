import type { IncomingMessage, ServerResponse } from 'node:http';
import { refuseUnauthorized } from './authorization.ts';
import { aggregatedDiscovery, coreVersions, groupList, groupOf, resourceList } from './discovery.ts';
import type { KubernetesApi } from './kubernetes-api.ts';
import { wantsAggregatedDiscovery } from './negotiation.ts';
import type { ObjectWriter } from './object-writer.ts';
import { openApiDocument, openApiIndex } from './openapi.ts';
import { type RequestInfo, requestInfo } from './request-info.ts';
import { ResourceRequests } from './resource-requests.ts';
import type { User } from './resource-type.ts';
import { internal, StatusError, unknownPath } from './status-error.ts';
import type { WatchHub } from './watch-hub.ts';

export interface RequestContext {
  /** The path below the API's own prefix; the query is taken from the request. */
  readonly path: string;
  readonly user: User;
  /** Asked once everything is done; false breaks the connection instead of answering. */
  readonly mayAnswer?: (() => boolean | Promise<boolean>) | undefined;
}

/** An answer that is complete when it is sent; `json` is already encoded. */
export interface Reply {
  readonly status: number;
  readonly json: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
}

export function jsonReply(status: number, body: object): Reply {
  return { status, json: JSON.stringify(body) };
}

async function answerOrBreak(response: ServerResponse, reply: Reply, { mayAnswer }: RequestContext): Promise<void> {
  if ((await mayAnswer?.()) === false) response.destroy();
  else sendReply(response, reply);
}

/** Routes the requests of one API: discovery, health and documents here, resources to `ResourceRequests`. */
export class RequestHandler {
  readonly #api: KubernetesApi;
  readonly #resources: ResourceRequests;

  constructor({ api, writer, watches }: { api: KubernetesApi; writer: ObjectWriter; watches: WatchHub }) {
    this.#api = api;
    this.#resources = new ResourceRequests({ api, writer, watches });
  }

  async handle(request: IncomingMessage, response: ServerResponse, context: RequestContext): Promise<void> {
    const search = request.url?.split('?', 2)[1];
    const info = requestInfo(
      request.method ?? 'GET',
      search === undefined ? context.path : `${context.path}?${search}`,
    );
    try {
      const reply = await this.#answer(request, response, info, context);
      if (reply !== 'streaming') await answerOrBreak(response, reply, context);
      else if ((await context.mayAnswer?.()) === false) response.destroy();
    } catch (error) {
      if (response.headersSent || response.destroyed) response.destroy();
      else await answerOrBreak(response, errorReply(error), context);
    }
  }

  async #answer(
    request: IncomingMessage,
    response: ServerResponse,
    info: RequestInfo,
    { user }: RequestContext,
  ): Promise<Reply | 'streaming'> {
    const { target } = info;
    const { registry } = this.#api;
    const isAggregated = wantsAggregatedDiscovery(request.headers.accept);
    switch (target.kind) {
      case 'resource':
        refuseUnauthorized(user, info.verb, target);
        return this.#resources.answer(request, response, { ...info, target }, user);
      case 'core':
        return isAggregated ? discoveryReply(aggregatedDiscovery(registry, 'core')) : jsonReply(200, coreVersions());
      case 'groups':
        return isAggregated
          ? discoveryReply(aggregatedDiscovery(registry, 'groups'))
          : jsonReply(200, groupList(registry));
      case 'group':
        if (!registry.groups().includes(target.group)) throw unknownPath();
        return jsonReply(200, groupOf(registry, target.group));
      case 'group-version':
        if (!registry.serves(target.group, target.version)) throw unknownPath();
        return jsonReply(200, resourceList(registry, target.group, target.version));
      case 'openapi-index':
        return jsonReply(200, openApiIndex(registry));
      case 'openapi':
        if (!registry.serves(target.group, target.version)) throw unknownPath();
        return jsonReply(200, openApiDocument(registry, target.group, target.version));
      case 'version':
        return jsonReply(200, versionOf(this.#api.kubernetesVersion));
      case 'health':
        return { status: 200, json: 'ok', headers: { 'content-type': 'text/plain; charset=utf-8' } };
      case 'root':
        return jsonReply(200, { paths: ['/api', '/apis', '/healthz', '/livez', '/openapi/v3', '/readyz', '/version'] });
      case 'openapi-v2':
      case 'unknown':
        throw unknownPath();
    }
  }
}

export function errorReply(error: unknown): Reply {
  const known = error instanceof StatusError ? error : internal(error instanceof Error ? error.message : String(error));
  if (!(error instanceof StatusError)) {
    // A mistake in the landscape itself: the client gets a 500, whoever runs the landscape the stack.
    process.emitWarning(error instanceof Error ? (error.stack ?? error.message) : String(error), 'LandscapeError');
  }
  const retryAfter = known.details?.retryAfterSeconds;
  const reply = { status: known.code, json: JSON.stringify(known.toStatus()) };
  return retryAfter === undefined ? reply : { ...reply, headers: { 'retry-after': String(retryAfter) } };
}

export function sendReply(response: ServerResponse, { status, json, headers }: Reply): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'cache-control': 'no-cache, private',
    'content-length': Buffer.byteLength(json),
    ...headers,
  });
  response.end(json);
}

function discoveryReply(body: object): Reply {
  const contentType = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
  return { ...jsonReply(200, body), headers: { 'content-type': contentType } };
}

function versionOf(version: string): object {
  const [major, minor] = version.split('.');
  return { major, minor, gitVersion: `v${version}`, gitTreeState: 'clean', platform: 'linux/amd64' };
}
