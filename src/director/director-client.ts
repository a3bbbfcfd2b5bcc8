import { z } from 'zod';
import { type Clock, systemClock } from '../domain/clock.ts';
import { Failure } from '../domain/failures.ts';
import { parseRuntimeId, type RuntimeId } from '../domain/ids.ts';
import type { Logger } from '../domain/logger.ts';
import { Secret } from '../domain/secret.ts';
import type { Director, DirectorCall, DirectorRuntime } from './director.ts';
import { DirectorExchange } from './director-exchange.ts';
import { type DirectorTls, directorConnector } from './director-tls.ts';
import { DirectorUnavailable } from './director-unavailable.ts';
import { directorConnections } from './http-exchange.ts';
import { type OAuthCredentials, OAuthTokens } from './oauth-tokens.ts';

const runtimeFields = 'id name description labels';
const runtimesPerPage = 100;

const directorRuntime = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string().nullish(),
    labels: z.record(z.string(), z.unknown()).nullish(),
  })
  .transform(
    ({ id, name, description, labels }): DirectorRuntime => ({
      id: parseRuntimeId(id),
      name,
      description: description ?? undefined,
      labels: labels ?? {},
    }),
  );
const registered = z.object({ id: z.string() });
const runtimePage = z.object({
  data: z.array(directorRuntime),
  pageInfo: z.object({ endCursor: z.string(), hasNextPage: z.boolean() }),
});
/** A token of another size, or an address without TLS, is none that an agent should be given. */
const oneTimeToken = z.object({
  token: z.string().min(1).max(4_096),
  connectorURL: z.string().refine((text) => URL.parse(text)?.protocol === 'https:'),
});

/** Labels that the Director keeps by itself and refuses to take: sending them back fails the whole update. */
const labelsOfTheDirector: ReadonlySet<string> = new Set([
  'scenarios',
  'runtimeType',
  'xsappnameCMPClone',
  'CMPSaaSAppName',
]);
const protectedLabel = /_defaultEventing$/;

export interface DirectorClientOptions {
  readonly url: string;
  /** Called before each request for an access token. Undefined: the gateway knows us by our certificate. */
  readonly readCredentials: (() => Promise<OAuthCredentials>) | undefined;
  readonly tls?: DirectorTls;
  readonly clock?: Clock;
  readonly log: Logger;
}

/** The Director over HTTPS, with tokens of the client-credentials grant or a client certificate. `close` ends its connections. */
export function directorClient(options: DirectorClientOptions): Director & { close(): Promise<void> } {
  const { url, readCredentials, tls = {}, clock = systemClock, log } = options;
  const dispatcher = directorConnections(directorConnector(tls, log));
  const tokens = readCredentials && new OAuthTokens({ readCredentials, dispatcher, clock });
  const exchange = new DirectorExchange({ url, tokens, dispatcher, clock, log });

  async function runtime(id: RuntimeId, call: DirectorCall): Promise<DirectorRuntime | undefined> {
    const document = `query ReadRuntime($id: ID!) { result: runtime(id: $id) { ${runtimeFields} } }`;
    try {
      const result = await exchange.call({ operation: 'runtime', document, variables: { id } }, call);
      return result === null ? undefined : understand(directorRuntime, result, 'runtime');
    } catch (error) {
      if (isFailure(error, 'DIRECTOR_RUNTIME_NOT_FOUND')) return undefined;
      throw error;
    }
  }

  return {
    runtime,

    async register({ name, description, labels }, call) {
      const document =
        'mutation RegisterRuntime($in: RuntimeRegisterInput!) { result: registerRuntime(in: $in) { id } }';
      const variables = { in: { name, description, labels } };
      const result = await exchange.call({ operation: 'registerRuntime', document, variables }, call);
      return parseRuntimeId(understand(registered, result, 'registerRuntime').id);
    },

    async findByLabel(key, value, call) {
      const document = `query FindRuntimes($filter: [LabelFilter!], $first: Int, $after: PageCursor) {
        result: runtimes(filter: $filter, first: $first, after: $after) {
          data { ${runtimeFields} } pageInfo { endCursor hasNextPage }
        }
      }`;
      const filter = [{ key, query: JSON.stringify(value) }];
      const found: DirectorRuntime[] = [];
      for (let after: string | undefined; ; ) {
        const variables = { filter, first: runtimesPerPage, after };
        const result = await exchange.call({ operation: 'runtimes', document, variables }, call);
        const page = understand(runtimePage, result, 'runtimes');
        found.push(...page.data);
        if (!page.pageInfo.hasNextPage) return found;
        after = page.pageInfo.endCursor;
      }
    },

    async setLabel(id, key, value, call) {
      const document = `mutation SetRuntimeLabel($id: ID!, $key: String!, $value: Any!) {
        result: setRuntimeLabel(runtimeID: $id, key: $key, value: $value) { key }
      }`;
      await exchange.call({ operation: 'setRuntimeLabel', document, variables: { id, key, value } }, call);
    },

    async setCondition(id, condition, call) {
      // The update replaces name, description and labels, so it is given what is there.
      const current = await runtime(id, call);
      if (!current) throw new Failure('DIRECTOR_RUNTIME_NOT_FOUND', `the Director does not know the Runtime ${id}`);
      const document = `mutation UpdateRuntime($id: ID!, $in: RuntimeUpdateInput!) {
        result: updateRuntime(id: $id, in: $in) { id }
      }`;
      const { name, description, labels } = current;
      const input = { name, description, labels: labelsToKeep(labels), statusCondition: condition };
      await exchange.call({ operation: 'updateRuntime', document, variables: { id, in: input } }, call);
    },

    async requestOneTimeToken(id, call) {
      const document = `mutation RequestToken($id: ID!) {
        result: requestOneTimeTokenForRuntime(id: $id) { token connectorURL }
      }`;
      const operation = 'requestOneTimeTokenForRuntime';
      const result = await exchange.call({ operation, document, variables: { id } }, call);
      const { token, connectorURL } = understand(oneTimeToken, result, operation);
      return { token: new Secret(token), connectorURL };
    },

    async unregister(id, call) {
      const document = 'mutation UnregisterRuntime($id: ID!) { result: unregisterRuntime(id: $id) { id } }';
      try {
        await exchange.call({ operation: 'unregisterRuntime', document, variables: { id } }, call);
      } catch (error) {
        // A tenant that is gone took its Runtimes with it.
        if (isFailure(error, 'DIRECTOR_RUNTIME_NOT_FOUND') || isFailure(error, 'DIRECTOR_TENANT_INVALID')) return;
        throw error;
      }
    },

    close: () => dispatcher.close(),
  };
}

function labelsToKeep(labels: DirectorRuntime['labels']): Record<string, unknown> {
  const kept = Object.entries(labels).filter(([key]) => !labelsOfTheDirector.has(key) && !protectedLabel.test(key));
  return Object.fromEntries(kept);
}

function understand<Value>(schema: z.ZodType<Value>, result: unknown, operation: string): Value {
  const parsed = schema.safeParse(result);
  if (parsed.success) return parsed.data;
  // Neither the answer nor what is wrong with its values is quoted: it may hold a one-time token.
  const fields = parsed.error.issues.map((issue) => issue.path.join('.') || 'result').join(', ');
  throw new DirectorUnavailable(`the Director answered ${operation} with something else than expected: ${fields}`, {
    fate: 'answered',
  });
}

function isFailure(error: unknown, code: Failure['code']): boolean {
  return error instanceof Failure && error.code === code;
}
