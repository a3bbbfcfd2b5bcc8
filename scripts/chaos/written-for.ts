import type { RuntimeRecord, SentRequest } from './history.ts';

/** Asks and changes nothing, gives out a credential, or belongs to the API and not to an operation. */
const harmless = /dryRun=|\/(admin|viewer)kubeconfig(\?|$)|\/token(\?|$)/;

/** What a stage's request to the Director may do; `registerRuntime` is what a mutation does before it accepts. */
const notOfStages: ReadonlySet<string> = new Set(['registerRuntime']);

/** Where requests for a cluster go: to it, or to whoever makes it. Without a name in the path it is in the body. */
const places = [
  ['gardener', /\/shoots(?:\/([^/]+))?/],
  ['gardener', /\/clusters\/shoot--dev--([^/]+)\//],
  ['gke', /^\/v1\/projects\/.*\/clusters(?:\/([^/:]+))?/],
  ['gke', /\/clusters\/gke--my-project--europe-west3-a--([^/]+)\//],
] as const;

/** Tells for which Runtime a request was sent that has an effect outside; undefined for one that has none. */
export function writtenFor(runtimes: readonly RuntimeRecord[]): (request: SentRequest) => string | undefined {
  const ids = new Set(runtimes.map(({ id }) => id));
  const idOf = new Map(runtimes.map(({ driver, clusterName, id }) => [`${driver}/${clusterName}`, id]));
  return ({ method, url, name, mutation, ids: given = [] }) => {
    if (method === 'GET' || harmless.test(url)) return undefined;
    if (mutation !== undefined) return notOfStages.has(mutation) ? undefined : given.find((id) => ids.has(id));
    const { pathname } = new URL(url);
    for (const [driver, pattern] of places) {
      const found = pattern.exec(pathname);
      if (found !== null) return idOf.get(`${driver}/${found[1] ?? name}`);
    }
    return undefined;
  };
}
