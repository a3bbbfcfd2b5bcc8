import { parseRequestPath, type RequestPath } from './request-path.ts';

export type Verb =
  | 'get'
  | 'list'
  | 'watch'
  | 'create'
  | 'update'
  | 'patch'
  | 'delete'
  | 'deletecollection'
  /** Anything that is not about a resource: discovery, health. */
  | 'other';

/** What a request wants, in the words of Kubernetes' authorization. */
export interface RequestInfo {
  readonly method: string;
  readonly verb: Verb;
  /** The path below the API's prefix. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly target: RequestPath;
}

/** `url` is the path below the API's prefix, with its query. */
export function requestInfo(method: string, url: string): RequestInfo {
  const [path = '/', search = ''] = url.split('?', 2);
  const query = new URLSearchParams(search);
  const target = parseRequestPath(path);
  return { method, verb: verbOf(method, target, query), path, query, target };
}

function verbOf(method: string, target: RequestPath, query: URLSearchParams): Verb {
  if (target.kind !== 'resource') return 'other';
  switch (method) {
    case 'GET':
    case 'HEAD':
      if (isTrue(query.get('watch'))) return 'watch';
      return target.name === undefined ? 'list' : 'get';
    case 'POST':
      return 'create';
    case 'PUT':
      return 'update';
    case 'PATCH':
      return 'patch';
    case 'DELETE':
      return target.name === undefined ? 'deletecollection' : 'delete';
    default:
      return 'other';
  }
}

export function isTrue(value: string | null): boolean {
  return value === 'true' || value === '1';
}
