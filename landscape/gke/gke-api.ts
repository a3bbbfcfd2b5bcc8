import { jsonResponse, type WebRequest, type WebResponse } from '../web-server.ts';
import { onlyKnown } from './create-request.ts';
import type { GkeClusters } from './gke-clusters.ts';
import { GkeError } from './gke-error.ts';
import type { Place } from './gke-operations.ts';
import { checkLocation } from './gke-places.ts';
import { serverConfig } from './gke-versions.ts';
import { type GoogleIdentities, googleProject } from './google-identities.ts';

// biome-ignore lint/suspicious/noExplicitAny: a body is judged field by field
type Json = any;

interface Call {
  readonly gke: GkeClusters;
  readonly place: Place;
  readonly cluster: string;
  readonly pool: string;
  readonly operation: string;
  readonly body: Json;
}

interface Method {
  readonly verb: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: RegExp;
  /** `container.<permission>`, which the caller needs. */
  readonly permission: string;
  /** Fields that the body may have. */
  readonly fields?: readonly string[];
  readonly run: (call: Call) => unknown;
}

const base = '/v1/projects/(?<project>[^/]+)/locations/(?<location>[^/:]+)';
const cluster = '/clusters/(?<cluster>[^/:]+)';
const pool = `${cluster}/nodePools/(?<pool>[^/:]+)`;
const path = (rest: string) => new RegExp(`^${base}${rest}$`);
/** Deprecated parts of a body that say again what the path says. */
const echoed = ['name', 'parent', 'projectId', 'zone', 'clusterId', 'nodePoolId'];

// biome-ignore format: a table
const methods: readonly Method[] = [
  { verb: 'GET', path: path('/serverConfig'), permission: 'clusters.list', run: () => serverConfig() },
  { verb: 'GET', path: path('/operations'), permission: 'operations.list', run: ({ gke, place }) => ({ operations: gke.operations.list(place) }) },
  { verb: 'GET', path: path('/operations/(?<operation>[^/:]+)'), permission: 'operations.get', run: ({ gke, place, operation }) => gke.operations.find(place, operation) },
  { verb: 'GET', path: path('/clusters'), permission: 'clusters.list', run: ({ gke, place }) => ({ clusters: gke.list(place) }) },
  { verb: 'POST', path: path('/clusters'), permission: 'clusters.create', fields: ['cluster'], run: ({ gke, place, body }) => gke.create(place, body) },
  { verb: 'GET', path: path(cluster), permission: 'clusters.get', run: ({ gke, place, cluster }) => gke.read(place, cluster) },
  { verb: 'PUT', path: path(cluster), permission: 'clusters.update', fields: ['update'], run: ({ gke, place, cluster, body }) => gke.update(place, cluster, body.update) },
  { verb: 'DELETE', path: path(cluster), permission: 'clusters.delete', run: ({ gke, place, cluster }) => gke.delete(place, cluster) },
  { verb: 'POST', path: path(`${cluster}:updateMaster`), permission: 'clusters.update', fields: ['masterVersion'], run: ({ gke, place, cluster, body }) => gke.update(place, cluster, { desiredMasterVersion: body.masterVersion }) },
  { verb: 'POST', path: path(`${cluster}:setResourceLabels`), permission: 'clusters.update', fields: ['resourceLabels', 'labelFingerprint'], run: ({ gke, place, cluster, body }) => gke.setLabels(place, cluster, body) },
  { verb: 'GET', path: path(`${cluster}/nodePools`), permission: 'clusters.get', run: ({ gke, place, cluster }) => ({ nodePools: gke.read(place, cluster).nodePools }) },
  { verb: 'POST', path: path(`${cluster}/nodePools`), permission: 'clusters.update', fields: ['nodePool'], run: ({ gke, place, cluster, body }) => gke.createNodePool(place, cluster, body) },
  { verb: 'GET', path: path(pool), permission: 'clusters.get', run: ({ gke, place, cluster, pool }) => gke.nodePool(place, cluster, pool) },
  { verb: 'PUT', path: path(pool), permission: 'clusters.update', fields: ['nodeVersion', 'imageType', 'machineType', 'diskSizeGb', 'diskType'], run: ({ gke, place, cluster, pool, body }) => gke.updateNodePool(place, cluster, pool, body) },
  { verb: 'DELETE', path: path(pool), permission: 'clusters.update', run: ({ gke, place, cluster, pool }) => gke.deleteNodePool(place, cluster, pool) },
  { verb: 'POST', path: path(`${pool}:setSize`), permission: 'clusters.update', fields: ['nodeCount'], run: ({ gke, place, cluster, pool, body }) => gke.setSize(place, cluster, pool, body) },
];

/** The REST API of Google Kubernetes Engine. */
export function answerGke(
  request: WebRequest,
  { gke, identities }: { readonly gke: GkeClusters; readonly identities: GoogleIdentities },
): WebResponse {
  try {
    return jsonResponse(200, withoutEmpty(carryOut(request, { gke, identities })));
  } catch (error) {
    if (error instanceof GkeError) return error.response;
    throw error;
  }
}

function carryOut(
  { method: verb, path: url, headers, body: text }: WebRequest,
  { gke, identities }: { gke: GkeClusters; identities: GoogleIdentities },
): unknown {
  const token = /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1];
  const identity = token === undefined ? undefined : identities.identify(token);
  if (!identity) {
    const message =
      'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.';
    throw new GkeError(
      'UNAUTHENTICATED',
      message,
      token === undefined ? 'CREDENTIALS_MISSING' : 'ACCESS_TOKEN_TYPE_UNSUPPORTED',
    );
  }
  if (!identity.forCloud) {
    const message = 'Request had insufficient authentication scopes.';
    throw new GkeError('PERMISSION_DENIED', message, 'ACCESS_TOKEN_SCOPE_INSUFFICIENT');
  }
  const { pathname } = new URL(url, 'https://landscape');
  const method = methods.find((candidate) => candidate.verb === verb && candidate.path.test(pathname));
  const names = method?.path.exec(pathname)?.groups ?? {};
  if (!method) throw new GkeError('NOT_FOUND', 'Method not found.');
  const name = (group: string) => decodeURIComponent(names[group] ?? '');
  const place = { project: name('project'), location: name('location') };
  if (place.project !== googleProject.id || identity.project !== place.project) {
    throw new GkeError(
      'PERMISSION_DENIED',
      `Permission denied on resource project ${place.project}.`,
      'CONSUMER_INVALID',
    );
  }
  if (identity.role === 'viewer' && verb !== 'GET') {
    const message = `Required "container.${method.permission}" permission(s) for "projects/${place.project}".`;
    throw new GkeError('PERMISSION_DENIED', message, 'IAM_PERMISSION_DENIED');
  }
  const many = place.location === '-' && /\/(clusters|operations)$/.test(pathname) && verb === 'GET';
  if (!many) checkLocation(place.location);
  const body = text === '' ? {} : parse(text);
  onlyKnown(body, new Set([...(method.fields ?? []), ...echoed]), '');
  return method.run({ gke, place, cluster: name('cluster'), pool: name('pool'), operation: name('operation'), body });
}

function parse(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    throw new GkeError('INVALID_ARGUMENT', 'Invalid JSON payload received. Unexpected token.');
  }
}

/** As the API does: what is empty is left out. */
function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .filter(([, inner]) => !isEmpty(inner))
    .map(([name, inner]) => [name, withoutEmpty(inner)] as const);
  return Object.fromEntries(entries);
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === 0 || value === false) return true;
  return Array.isArray(value) && value.length === 0;
}
