import type { IncomingMessage, ServerResponse } from 'node:http';
import { isObject } from './json-value.ts';
import type { KubernetesApi } from './kubernetes-api.ts';
import { ListPages } from './list-pages.ts';
import { acceptedForm, type Form } from './negotiation.ts';
import { objectJson } from './object-json.ts';
import type { ObjectWriter, WriteOptions, WriteTarget } from './object-writer.ts';
import { applyJsonPatch } from './patch/json-patch.ts';
import { applyMergePatch } from './patch/merge-patch.ts';
import { applyStrategicMergePatch } from './patch/strategic-merge-patch.ts';
import { fromJson, fromYaml, mediaType, readBody, readObject } from './request-body.ts';
import type { Reply } from './request-handler.ts';
import { isTrue, type RequestInfo } from './request-info.ts';
import { deleteRequest, includeObject, positive, selection, writeOptions } from './request-options.ts';
import type { ResourcePath } from './request-path.ts';
import { apiVersionOf, inVersion } from './resource-registry.ts';
import type { KubeObject, ResourceType, User } from './resource-type.ts';
import { nameOfFieldSelector } from './selectors.ts';
import { badRequest, invalid, methodNotAllowed, notFound, unknownPath, unsupportedMediaType } from './status-error.ts';
import { partialMetadata, tableOf } from './table.ts';
import type { EventForm, WatchHub } from './watch-hub.ts';
import { isKubernetesOwn } from './written-object.ts';

export type ResourceRequest = RequestInfo & { readonly target: ResourcePath };

const PATCH_TYPES = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
];

/** Everything that happens below `/api/v1/...` and `/apis/<group>/<version>/...`. */
export class ResourceRequests {
  readonly #api: KubernetesApi;
  readonly #writer: ObjectWriter;
  readonly #watches: WatchHub;
  readonly #pages = new ListPages();

  constructor({ api, writer, watches }: { api: KubernetesApi; writer: ObjectWriter; watches: WatchHub }) {
    this.#api = api;
    this.#writer = writer;
    this.#watches = watches;
  }

  async answer(
    request: IncomingMessage,
    response: ServerResponse,
    info: ResourceRequest,
    user: User,
  ): Promise<Reply | 'streaming'> {
    const type = this.#typeOf(info.target);
    const warnings: string[] = [];
    const options = writeOptions(request, info, user, (message) => warnings.push(message));
    const form = acceptedForm(request.headers.accept);
    const reply = await this.#dispatch({ request, response, info, type, options, form });
    if (reply === 'streaming' || warnings.length === 0) return reply;
    const warning = warnings.map((message) => `299 - ${JSON.stringify(message)}`);
    return { ...reply, headers: { ...reply.headers, warning } };
  }

  async #dispatch(call: Call): Promise<Reply | 'streaming'> {
    const { request, info, type, options } = call;
    const { namespace, name = '', subresource } = info.target;
    const target: WriteTarget = { type, namespace, name, subresource };
    switch (info.verb) {
      case 'get':
        return this.#objectReply(call, this.#existing(target), 200);
      case 'list':
        return this.#list(call);
      case 'watch':
        return this.#watch(call);
      case 'create': {
        if (subresource !== undefined) return this.#createSubresource(call, target);
        if (info.target.name !== undefined) throw methodNotAllowed(type, 'create');
        const body = await readObject(request);
        return this.#objectReply(call, this.#writer.create(type, namespace, body, options), 201);
      }
      case 'update':
        return this.#objectReply(call, this.#writer.replace(target, await readObject(request), options), 200);
      case 'patch':
        return this.#patch(call, target);
      case 'delete':
        return this.#delete(call, target);
      case 'deletecollection':
        return this.#deleteCollection(call);
      case 'other':
        throw methodNotAllowed(type, info.method);
    }
  }

  #typeOf({ group, version, plural, namespace, name, subresource }: ResourcePath): ResourceType {
    const type = this.#api.registry.find(group, version, plural);
    if (type === undefined) throw unknownPath();
    if (!type.namespaced && namespace !== undefined) throw unknownPath();
    if (type.namespaced && namespace === undefined && name !== undefined) throw unknownPath();
    const isStatus = subresource === 'status' && type.statusSubresource === true;
    if (subresource !== undefined && !isStatus && type.subresources?.[subresource] === undefined) throw unknownPath();
    return type;
  }

  #existing({ type, namespace, name }: WriteTarget): KubeObject {
    const found = this.#api.store.get(type, namespace, name);
    if (found === undefined) throw notFound(type, name);
    return found;
  }

  #list({ info, type, form }: Call): Reply {
    const { query, target } = info;
    const limit = positive(query.get('limit'));
    const token = query.get('continue') ?? '';
    const page =
      token === ''
        ? this.#pages.first(
            {
              items: this.#select(type, target.namespace, query),
              resourceVersion: this.#api.store.resourceVersion,
            },
            limit,
          )
        : this.#pages.next(token, limit, this.#api.store.compactedUpTo);
    const hasSelector = (query.get('labelSelector') ?? '') !== '' || (query.get('fieldSelector') ?? '') !== '';
    const metadata = {
      resourceVersion: page.resourceVersion,
      ...(page.continueToken === undefined ? {} : { continue: page.continueToken }),
      ...(page.remaining === undefined || hasSelector ? {} : { remainingItemCount: page.remaining }),
    };
    return { status: 200, json: this.#listJson(type, page.items, metadata, form, query) };
  }

  #listJson(
    type: ResourceType,
    items: readonly KubeObject[],
    metadata: object,
    form: Form,
    query: URLSearchParams,
  ): string {
    if (form.kind === 'table') {
      return JSON.stringify(
        tableOf(items, type, { include: includeObject(query), now: this.#api.clock.now(), metadata }),
      );
    }
    if (form.kind === 'metadata') {
      const apiVersion = 'meta.k8s.io/v1';
      return JSON.stringify({
        kind: 'PartialObjectMetadataList',
        apiVersion,
        metadata,
        items: items.map(partialMetadata),
      });
    }
    const head = JSON.stringify({ kind: `${type.kind}List`, apiVersion: apiVersionOf(type), metadata });
    return `${head.slice(0, -1)},"items":[${items.map((item) => objectJson(inVersion(item, type))).join(',')}]}`;
  }

  #select(type: ResourceType, namespace: string | undefined, query: URLSearchParams): readonly KubeObject[] {
    const matches = selection(type, query);
    const name = nameOfFieldSelector(query.get('fieldSelector') ?? '');
    if (name !== undefined && (namespace !== undefined || !type.namespaced)) {
      const found = this.#api.store.get(type, namespace, name);
      return found !== undefined && matches(found) ? [found] : [];
    }
    return this.#api.store.list(type, namespace).filter(matches);
  }

  #watch({ response, info, type, form }: Call): 'streaming' {
    const { query, target } = info;
    const matches = selection(type, query);
    const { name } = target;
    this.#watches.serve(
      {
        type,
        namespace: target.namespace,
        matches: name === undefined ? matches : (object) => object.metadata.name === name && matches(object),
        resourceVersion: query.get('resourceVersion') ?? undefined,
        allowBookmarks: isTrue(query.get('allowWatchBookmarks')),
        sendInitialEvents: isTrue(query.get('sendInitialEvents')),
        timeoutSeconds: positive(query.get('timeoutSeconds')),
        form: this.#eventForm(type, form, query),
        contentType: 'application/json',
      },
      response,
    );
    return 'streaming';
  }

  #eventForm(type: ResourceType, form: Form, query: URLSearchParams): EventForm | undefined {
    const apiVersion = 'meta.k8s.io/v1';
    if (form.kind === 'metadata') {
      const encode = (object: KubeObject): string => JSON.stringify(partialMetadata(object));
      return { kind: 'PartialObjectMetadata', apiVersion, encode };
    }
    if (form.kind !== 'table') return undefined;
    // Only the first event of a table watch carries the columns.
    let withColumns = true;
    const encode = (object: KubeObject): string => {
      const metadata = { resourceVersion: object.metadata.resourceVersion };
      const options = { include: includeObject(query), now: this.#api.clock.now(), metadata, withColumns };
      withColumns = false;
      return JSON.stringify(tableOf([object], type, options));
    };
    return { kind: 'Table', apiVersion, encode };
  }

  async #createSubresource(call: Call, target: WriteTarget): Promise<Reply> {
    const answer = target.type.subresources?.[target.subresource ?? ''];
    if (answer === undefined) throw methodNotAllowed(target.type, 'create');
    const object = inVersion(this.#existing(target), target.type);
    const body = (await readObject(call.request)) ?? {};
    if (!isObject(body)) throw badRequest('the request body must be an object');
    const metadata = isObject(body.metadata) ? body.metadata : {};
    const complete: KubeObject = { apiVersion: '', kind: '', ...body, metadata };
    return { status: 201, json: JSON.stringify(await answer({ object, body: complete, user: call.options.user })) };
  }

  async #patch(call: Call, target: WriteTarget): Promise<Reply> {
    const { request, options, type, info } = call;
    const text = (await readBody(request)).toString('utf8');
    switch (mediaType(request)) {
      case 'application/merge-patch+json': {
        const patch = fromJson(text);
        return this.#objectReply(
          call,
          this.#writer.patch(target, (object) => applyMergePatch(object, patch), options),
          200,
        );
      }
      case 'application/json-patch+json': {
        const patch = fromJson(text);
        return this.#objectReply(
          call,
          this.#writer.patch(target, (object) => applyJsonPatch(object, patch), options),
          200,
        );
      }
      case 'application/strategic-merge-patch+json': {
        if (!isKubernetesOwn(type)) {
          throw unsupportedMediaType(PATCH_TYPES.filter((accepted) => !accepted.includes('strategic')));
        }
        const patch = fromJson(text);
        const change = (object: KubeObject): unknown => applyStrategicMergePatch(object, patch);
        return this.#objectReply(call, this.#writer.patch(target, change, options), 200);
      }
      case 'application/apply-patch+yaml': {
        if (!info.query.has('fieldManager')) {
          const detail = 'is required for apply patch';
          throw invalid({ group: 'meta.k8s.io', kind: 'PatchOptions' }, '', [
            { reason: 'FieldValueRequired', field: 'fieldManager', detail },
          ]);
        }
        const force = isTrue(info.query.get('force'));
        const { object, created } = this.#writer.apply(target, fromYaml(text), force, options);
        return this.#objectReply(call, object, created ? 201 : 200);
      }
      default:
        throw unsupportedMediaType(PATCH_TYPES);
    }
  }

  async #delete(call: Call, target: WriteTarget): Promise<Reply> {
    if (target.subresource !== undefined) throw methodNotAllowed(target.type, 'delete');
    const { dryRun, ...request } = deleteRequest(await readObject(call.request), call.info.query);
    const options = { user: call.options.user, dryRun: call.options.dryRun || dryRun };
    const { object, removed } = this.#writer.delete(target, request, options);
    if (!removed) return this.#objectReply(call, object, 200);
    const { group, plural } = target.type;
    const details = { name: target.name, ...(group === '' ? {} : { group }), kind: plural, uid: object.metadata.uid };
    const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details };
    return { status: 200, json: JSON.stringify(status) };
  }

  async #deleteCollection({ request, info, type, options, form }: Call): Promise<Reply> {
    const { namespace } = info.target;
    const { dryRun, ...deletion } = deleteRequest(await readObject(request), info.query);
    const objects = this.#select(type, namespace, info.query);
    for (const { metadata } of objects) {
      const target = { type, namespace: metadata.namespace, name: metadata.name ?? '', subresource: undefined };
      this.#writer.delete(target, deletion, { user: options.user, dryRun: options.dryRun || dryRun });
    }
    const metadata = { resourceVersion: this.#api.store.resourceVersion };
    return { status: 200, json: this.#listJson(type, objects, metadata, form, info.query) };
  }

  #objectReply({ type, form, info }: Call, object: KubeObject, status: number): Reply {
    const shown = inVersion(object, type);
    if (form.kind === 'table') {
      const metadata = { resourceVersion: object.metadata.resourceVersion };
      const options = { include: includeObject(info.query), now: this.#api.clock.now(), metadata };
      return { status, json: JSON.stringify(tableOf([object], type, options)) };
    }
    return { status, json: form.kind === 'metadata' ? JSON.stringify(partialMetadata(shown)) : objectJson(shown) };
  }
}

interface Call {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly info: ResourceRequest;
  readonly type: ResourceType;
  readonly options: WriteOptions;
  readonly form: Form;
}
