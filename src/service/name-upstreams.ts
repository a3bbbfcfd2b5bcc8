import type { Config } from '../config-shape.ts';

/** Says in one of few words which upstream a request goes to, for metrics. */
export function nameUpstreams({
  director,
  gke,
}: Pick<Config, 'director' | 'gke'>): (request: { origin: string; path: string }) => string {
  const directorOrigin = director && URL.parse(director.url)?.origin;
  return ({ origin, path }) => {
    if (origin === gke.endpoint && path.startsWith('/v1/projects/')) return 'gke';
    if (origin === directorOrigin) return 'director';
    if (path.includes('/apis/core.gardener.cloud/')) return 'gardener';
    if (/\/apis?\//.test(path)) return 'cluster';
    return 'other';
  };
}
