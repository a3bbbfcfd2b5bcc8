import { isRecord } from '../../domain/json.ts';
import { LimitExceeded } from '../request-limits.ts';

/** What a client asks for. */
export interface GraphqlRequest {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>> | undefined;
  readonly operationName: string | undefined;
}

/** A request that is no GraphQL request. */
export class BadRequest extends Error {
  override readonly name = 'BadRequest';
  readonly statusCode: number;

  constructor(message: string, statusCode = 400) {
    super(message);
    this.statusCode = statusCode;
  }
}

/** Throws BadRequest for what is none, LimitExceeded for variables that are nested too deeply. */
export function readGraphqlRequest(body: unknown, { depth }: { depth: number }): GraphqlRequest {
  if (Array.isArray(body)) throw new BadRequest('a request holds one query; batches of them are not taken');
  if (!isRecord(body)) throw new BadRequest('the request is no JSON object with a query');
  const { query, variables, operationName } = body;
  if (query === undefined || query === null || query === '') throw new BadRequest('the request holds no query');
  if (typeof query !== 'string') throw new BadRequest('query must be a text');
  if (!isAbsent(operationName) && typeof operationName !== 'string') {
    throw new BadRequest('operationName must be a text');
  }
  if (!isAbsent(variables) && !isRecord(variables)) throw new BadRequest('variables must be an object');
  if (!isAbsent(variables) && isDeeperThan(variables, depth))
    throw new LimitExceeded({ limit: 'depth', allowed: depth });
  return { query, variables: variables ?? undefined, operationName: operationName ?? undefined };
}

/** The parameters of a GET, in which variables are JSON. */
export function readQueryString(parameters: unknown, limits: { depth: number }): GraphqlRequest {
  if (!isRecord(parameters)) throw new BadRequest('the request holds no query');
  const { variables, ...others } = parameters;
  return readGraphqlRequest({ ...others, variables: parseVariables(variables) }, limits);
}

function parseVariables(text: unknown): unknown {
  if (typeof text !== 'string' || text === '') return text === '' ? undefined : text;
  try {
    return JSON.parse(text);
  } catch {
    throw new BadRequest('variables must be JSON');
  }
}

function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

/** Without recursion, for it is there to find what others would follow too far. */
function isDeeperThan(value: object, most: number): boolean {
  let level: object[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > most) return true;
    level = level.flatMap((one) =>
      Object.values(one).filter((member) => typeof member === 'object' && member !== null),
    );
  }
  return false;
}
