import { buildSchema, type DocumentNode, execute, GraphQLError, type GraphQLSchema, parse, validate } from 'graphql';
import type { WebRequest, WebResponse } from '../web-server.ts';
import { jsonResponse } from '../web-server.ts';
import type { AccessTokens } from './access-tokens.ts';
import { DirectorError } from './director-error.ts';
import { directorSchema } from './director-schema.ts';
import { type OneTimeToken, OneTimeTokens, type SystemAuth } from './one-time-tokens.ts';
import { type RegisteredRuntime, type RuntimeCondition, type RuntimeInput, Runtimes } from './runtimes.ts';

interface Caller {
  readonly tenant: string;
  readonly scopes: ReadonlySet<string>;
}

interface PageArguments {
  readonly filter?: { key: string; query?: string | null }[] | null;
  readonly first?: number | null;
  readonly after?: string | null;
}

export interface DirectorOptions {
  readonly tenants: readonly string[];
  readonly tokens: AccessTokens;
  readonly connectorURL: string;
}

/** The client certificate of whoever may call with one. */
export const directorClient = {
  user: 'provisioner',
  groups: ['integration-system'],
  api: 'Director',
  lifetimeSeconds: 365 * 24 * 60 * 60,
};

/** A Compass Director: Runtimes per tenant, labels, status conditions, one-time tokens. */
export class Director {
  readonly runtimes = new Runtimes();
  readonly oneTimeTokens = new OneTimeTokens();
  readonly #schema: GraphQLSchema = buildSchema(directorSchema);
  readonly #documents = new Map<string, DocumentNode | readonly GraphQLError[]>();
  readonly #tenants: Set<string>;
  readonly #tokens: AccessTokens;
  readonly #connectorURL: string;

  constructor({ tenants, tokens, connectorURL }: DirectorOptions) {
    this.#tenants = new Set(tenants);
    this.#tokens = tokens;
    this.#connectorURL = connectorURL;
  }

  /** `POST /director/graphql`. */
  async handle(request: WebRequest): Promise<WebResponse> {
    if (request.method !== 'POST') return jsonResponse(405, { error: 'use POST' });
    const scopes = this.#tokens.scopesOf(request.headers.authorization);
    // The gateway refuses this before the Director sees it, and not in GraphQL's words.
    if (!scopes) {
      return jsonResponse(401, {
        error: { code: 401, status: 'Unauthorized', message: 'Access credentials are invalid' },
      });
    }
    return this.#handleAs(request, scopes);
  }

  /** `POST /mtls/director/graphql`: the certificate tells who calls, and no access token is wanted. */
  async handleCertified(request: WebRequest): Promise<WebResponse> {
    if (request.method !== 'POST') return jsonResponse(405, { error: 'use POST' });
    if (request.clientSubject?.OU !== directorClient.api) {
      return { status: 403, headers: { 'content-type': 'text/plain' }, body: 'RBAC: access denied' };
    }
    return this.#handleAs(request, new Set(['runtime:read', 'runtime:write']));
  }

  async #handleAs(request: WebRequest, scopes: ReadonlySet<string>): Promise<WebResponse> {
    const tenant = request.headers.tenant;
    if (typeof tenant !== 'string' || tenant === '') return refusal(new DirectorError(24, 'Tenant is required'));
    if (!this.#tenants.has(tenant)) {
      return refusal(new DirectorError(25, 'Tenant not found', { externalTenant: tenant }));
    }
    return this.#execute(request.body, { tenant, scopes });
  }

  /** The Runtime's agent called for the first time with its certificate. */
  runtimeCalled(runtimeId: string): void {
    const runtime = this.runtimes.findAnywhere(runtimeId);
    if (runtime && runtime.condition !== 'CONNECTED') this.runtimes.setCondition(runtime, 'CONNECTED');
  }

  async #execute(body: string, caller: Caller): Promise<WebResponse> {
    const query = parseBody(body);
    if (!query) return refusal(new DirectorError(400, 'json body could not be decoded'));
    const document = this.#document(query.query);
    if (isErrors(document)) return jsonResponse(422, { errors: document.map((error) => error.toJSON()), data: null });
    const { data, errors } = await execute({
      schema: this.#schema,
      document,
      rootValue: this.#root(caller),
      variableValues: query.variables,
      operationName: query.operationName,
    });
    return jsonResponse(200, errors ? { errors: errors.map(present), data: data ?? null } : { data });
  }

  #document(text: string): DocumentNode | readonly GraphQLError[] {
    let document = this.#documents.get(text);
    if (!document) {
      document = parseDocument(this.#schema, text);
      // Callers that build query strings would otherwise fill the memory.
      if (this.#documents.size > 500) this.#documents.clear();
      this.#documents.set(text, document);
    }
    return document;
  }

  #root(caller: Caller) {
    const { tenant } = caller;
    const view = (runtime: RegisteredRuntime) => this.#view(runtime, caller);
    return {
      runtime: ({ id }: { id: string }) => {
        need(caller, 'runtime:read');
        const runtime = this.runtimes.find(tenant, id);
        return runtime ? view(runtime) : null;
      },
      runtimes: ({ filter, first, after }: PageArguments) => {
        need(caller, 'runtime:read');
        return page(this.runtimes.list(tenant, filter ?? []), first ?? 200, after ?? undefined, view);
      },
      registerRuntime: ({ in: input }: { in: RuntimeInput }) => {
        need(caller, 'runtime:write');
        return view(this.runtimes.register(tenant, input));
      },
      updateRuntime: ({ id, in: input }: { id: string; in: RuntimeInput }) => {
        need(caller, 'runtime:write');
        return view(this.runtimes.update(tenant, id, input));
      },
      unregisterRuntime: ({ id }: { id: string }) => {
        need(caller, 'runtime:write');
        const runtime = this.runtimes.unregister(tenant, id);
        const answer = view(runtime);
        this.oneTimeTokens.removeRuntime(id);
        return answer;
      },
      setRuntimeLabel: ({ runtimeID, key, value }: { runtimeID: string; key: string; value: unknown }) => {
        need(caller, 'runtime:write');
        this.runtimes.setLabel(tenant, runtimeID, key, value);
        return { key, value };
      },
      deleteRuntimeLabel: ({ runtimeID, key }: { runtimeID: string; key: string }) => {
        need(caller, 'runtime:write');
        return { key, value: this.runtimes.deleteLabel(tenant, runtimeID, key) };
      },
      requestOneTimeTokenForRuntime: ({ id, systemAuthID }: { id: string; systemAuthID?: string | null }) => {
        need(caller, 'runtime:write');
        this.runtimes.require(tenant, id);
        const token = this.oneTimeTokens.issue(id, systemAuthID ?? undefined)?.token;
        if (!token) throw new DirectorError(20, 'Object not found', { object: 'systemAuth' });
        return this.#tokenView(token);
      },
      deleteSystemAuthForRuntime: ({ authID }: { authID: string }) => {
        need(caller, 'runtime:write');
        const auth = this.oneTimeTokens.find(authID);
        if (!auth || !this.runtimes.find(tenant, auth.runtimeId)) {
          throw new DirectorError(20, 'Object not found', { object: 'systemAuth' });
        }
        this.oneTimeTokens.remove(auth);
        return this.#authView(auth);
      },
    };
  }

  #view(runtime: RegisteredRuntime, caller: Caller) {
    const labels = { ...runtime.labels };
    return {
      id: runtime.id,
      name: runtime.name,
      description: runtime.description,
      labels: ({ key }: { key?: string | null }) => (key ? pick(labels, key) : labels),
      status: { condition: runtime.condition satisfies RuntimeCondition, timestamp: runtime.conditionSince },
      metadata: { creationTimestamp: runtime.createdAt },
      auths: () => {
        need(caller, 'runtime.auths:read');
        return this.oneTimeTokens.ofRuntime(runtime.id).map((auth) => this.#authView(auth));
      },
    };
  }

  #authView({ id, token, certCommonName }: SystemAuth) {
    return { id, auth: { oneTimeToken: token && this.#tokenView(token), certCommonName } };
  }

  #tokenView({ value, usedAt, expiresAt, createdAt }: OneTimeToken) {
    const raw = JSON.stringify({ token: value, connectorURL: this.#connectorURL });
    return {
      token: value,
      connectorURL: this.#connectorURL,
      used: usedAt !== undefined,
      expiresAt: new Date(expiresAt).toISOString(),
      createdAt: new Date(createdAt).toISOString(),
      usedAt: usedAt === undefined ? null : new Date(usedAt).toISOString(),
      type: 'RUNTIME',
      raw,
      rawEncoded: Buffer.from(raw).toString('base64'),
    };
  }
}

function need({ scopes }: Caller, scope: string): void {
  if (scopes.has(scope)) return;
  throw new DirectorError(23, `insufficient scopes provided, required: [${scope}], actual: [${[...scopes].join(' ')}]`);
}

function page<View>(
  runtimes: RegisteredRuntime[],
  first: number,
  after: string | undefined,
  view: (runtime: RegisteredRuntime) => View,
) {
  if (first < 1 || first > 200)
    throw new DirectorError(22, 'Invalid data', { first: 'page size must be between 1 and 200' });
  const start = after ? Number(Buffer.from(after, 'base64').toString()) : 0;
  if (!Number.isInteger(start) || start < 0)
    throw new DirectorError(22, 'Invalid data', { after: 'cursor is not correct' });
  const end = Math.min(start + first, runtimes.length);
  const hasNextPage = end < runtimes.length;
  return {
    data: runtimes.slice(start, end).map(view),
    totalCount: runtimes.length,
    pageInfo: {
      startCursor: after ?? '',
      endCursor: hasNextPage ? Buffer.from(String(end)).toString('base64') : '',
      hasNextPage,
    },
  };
}

function pick(labels: Record<string, unknown>, key: string): Record<string, unknown> {
  return key in labels ? { [key]: labels[key] } : {};
}

function parseDocument(schema: GraphQLSchema, text: string): DocumentNode | readonly GraphQLError[] {
  try {
    const document = parse(text);
    const errors = validate(schema, document);
    return errors.length === 0 ? document : errors;
  } catch (error) {
    return [error instanceof GraphQLError ? error : new GraphQLError(String(error))];
  }
}

function isErrors(document: DocumentNode | readonly GraphQLError[]): document is readonly GraphQLError[] {
  return Array.isArray(document);
}

function present(error: GraphQLError) {
  const { originalError } = error;
  const extensions =
    originalError instanceof DirectorError
      ? originalError.extensions
      : originalError
        ? new DirectorError(10, '').extensions
        : {};
  return { message: error.message, path: error.path, locations: error.locations, extensions };
}

function refusal(error: DirectorError): WebResponse {
  return jsonResponse(400, { errors: [{ message: error.message, extensions: error.extensions }], data: null });
}

function parseBody(
  body: string,
): { query: string; variables?: Record<string, unknown>; operationName?: string } | undefined {
  try {
    const parsed = JSON.parse(body);
    return typeof parsed?.query === 'string'
      ? {
          query: parsed.query,
          variables: parsed.variables ?? undefined,
          operationName: parsed.operationName ?? undefined,
        }
      : undefined;
  } catch {
    return undefined;
  }
}
