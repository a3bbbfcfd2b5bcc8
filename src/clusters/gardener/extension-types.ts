import { type Clock, systemClock } from '../../domain/clock.ts';
import { readRecords, readText } from '../../domain/json.ts';
import { orAbort } from '../../domain/or-abort.ts';
import type { KubernetesClient, ResourceKind } from '../../kubernetes/kubernetes-client.ts';
import { KubernetesError } from '../../kubernetes/kubernetes-error.ts';

const registrationKind: ResourceKind = {
  apiVersion: 'core.gardener.cloud/v1beta1',
  plural: 'controllerregistrations',
  namespaced: false,
};
const freshForMilliseconds = 600_000;

export type ExtensionTypes = (signal: AbortSignal | undefined) => Promise<ReadonlySet<string> | undefined>;

/**
 * Answers which types a Shoot's `extensions` may have in this Garden, looked up anew every ten minutes. Undefined when
 * we may not know. Throws when the Garden does not answer.
 */
export function extensionTypes({
  client,
  clock = systemClock,
}: {
  client: KubernetesClient;
  clock?: Clock;
}): ExtensionTypes {
  let known: { readonly types: ReadonlySet<string> | undefined; readonly until: number } | undefined;
  let looking: Promise<ReadonlySet<string> | undefined> | undefined;

  async function look(): Promise<ReadonlySet<string> | undefined> {
    const types = await list(client);
    known = { types, until: clock.now() + freshForMilliseconds };
    return types;
  }

  return async (signal) => {
    if (known && clock.now() < known.until) return known.types;
    looking ??= look().finally(() => {
      looking = undefined;
    });
    return orAbort(looking, signal);
  };
}

async function list(client: KubernetesClient): Promise<ReadonlySet<string> | undefined> {
  try {
    const { items } = await client.list(registrationKind);
    const resources = items.flatMap((item) => readRecords(item, 'spec', 'resources'));
    const types = resources.filter(({ kind }) => kind === 'Extension').map((resource) => readText(resource, 'type'));
    return new Set(types.filter((type) => type !== undefined));
  } catch (error) {
    if (error instanceof KubernetesError && (error.status === 403 || error.status === 404)) return undefined;
    throw error;
  }
}
