/** What a request's path is about, below the API's own prefix. */
export type RequestPath =
  | { readonly kind: 'root' | 'version' | 'health' | 'core' | 'groups' | 'openapi-v2' | 'openapi-index' | 'unknown' }
  | { readonly kind: 'group'; readonly group: string }
  | { readonly kind: 'group-version'; readonly group: string; readonly version: string }
  | { readonly kind: 'openapi'; readonly group: string; readonly version: string }
  | ResourcePath;

export interface ResourcePath {
  readonly kind: 'resource';
  readonly group: string;
  readonly version: string;
  readonly namespace: string | undefined;
  readonly plural: string;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
}

/** Reads a path such as `/apis/apps/v1/namespaces/default/deployments/web/status`. */
export function parseRequestPath(path: string): RequestPath {
  const parts = path
    .split('/')
    .filter((part) => part !== '')
    .map(decodePart);
  const [first, second, third, ...rest] = parts;
  if (first === undefined) return { kind: 'root' };
  if (first === 'version') return { kind: 'version' };
  if (first === 'healthz' || first === 'readyz' || first === 'livez') return { kind: 'health' };
  if (first === 'openapi') return openApiPath(second, [third, ...rest]);
  if (first === 'api') {
    if (second === undefined) return { kind: 'core' };
    const below = third === undefined ? [] : [third, ...rest];
    return groupVersionPath('', second, below);
  }
  if (first !== 'apis') return { kind: 'unknown' };
  if (second === undefined) return { kind: 'groups' };
  if (third === undefined) return { kind: 'group', group: second };
  return groupVersionPath(second, third, rest);
}

function openApiPath(version: string | undefined, rest: readonly (string | undefined)[]): RequestPath {
  if (version === 'v2') return { kind: 'openapi-v2' };
  if (version !== 'v3') return { kind: 'unknown' };
  const [first, second, third] = rest;
  if (first === undefined) return { kind: 'openapi-index' };
  if (first === 'api' && second !== undefined) return { kind: 'openapi', group: '', version: second };
  if (first === 'apis' && second !== undefined && third !== undefined) {
    return { kind: 'openapi', group: second, version: third };
  }
  return { kind: 'unknown' };
}

function groupVersionPath(group: string, version: string, rest: readonly string[]): RequestPath {
  if (rest.length === 0) return { kind: 'group-version', group, version };
  // `namespaces/<name>` and its own subresources are the Namespace itself, anything below is inside it.
  const [first, second, third] = rest;
  const inNamespace =
    first === 'namespaces' && second !== undefined && third !== undefined && !namespaceSubresources.has(third);
  const [plural = '', name, subresource, ...tooMuch] = inNamespace ? rest.slice(2) : rest;
  if (tooMuch.length > 0) return { kind: 'unknown' };
  return { kind: 'resource', group, version, namespace: inNamespace ? second : undefined, plural, name, subresource };
}

const namespaceSubresources: ReadonlySet<string> = new Set(['status', 'finalize']);

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
