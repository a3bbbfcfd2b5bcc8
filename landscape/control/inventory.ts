import type { Director } from '../director/director.ts';
import type { KubernetesApi } from '../kubernetes/kubernetes-api.ts';
import { agentNamespace, agentSecret, connectionType } from '../runtime-cluster/application-connector.ts';
import type { RuntimeClusters } from '../runtime-cluster/runtime-clusters.ts';

export interface Inventory {
  readonly shoots: readonly {
    readonly name: string;
    readonly namespace: string;
    readonly uid: string;
    readonly annotations: Readonly<Record<string, string>>;
    readonly deleting: boolean;
    /** `Create Succeeded (100%)`. */
    readonly lastOperation: string | undefined;
  }[];
  readonly clusters: readonly {
    readonly technicalId: string;
    readonly running: boolean;
    /** The Runtime that the agent's Secret names. */
    readonly agentRuntimeId: string | undefined;
    readonly connectionState: string | undefined;
    /** `kind state` of each module resource. */
    readonly modules: readonly string[];
  }[];
  readonly directorRuntimes: readonly {
    readonly id: string;
    readonly tenant: string;
    readonly name: string;
    readonly condition: string;
    readonly labels: Readonly<Record<string, unknown>>;
    /** Tokens and certificates given out for it. */
    readonly systemAuths: number;
  }[];
}

export interface InventoryParts {
  readonly garden: KubernetesApi;
  readonly clusters: RuntimeClusters;
  readonly director: Director;
}

/** Counts what exists in the outside world, for whoever must prove that there is exactly one of it. */
export function takeInventory({ garden, clusters, director }: InventoryParts): Inventory {
  return {
    shoots: garden.list('shoots').map(({ metadata, status }) => {
      const last = status?.lastOperation;
      return {
        name: metadata.name ?? '',
        namespace: metadata.namespace ?? '',
        uid: metadata.uid ?? '',
        annotations: metadata.annotations ?? {},
        deleting: metadata.deletionTimestamp !== undefined,
        lastOperation: last && `${last.type} ${last.state} (${last.progress}%)`,
      };
    }),
    clusters: clusters.all().map(({ technicalId, running, api }) => ({
      technicalId,
      running,
      agentRuntimeId: agentRuntimeId(api),
      connectionState: readIfServed(api, connectionType, 'compass-connection')?.status?.connectionState,
      modules: moduleStates(api),
    })),
    directorRuntimes: director.runtimes.all().map(({ id, tenant, name, condition, labels }) => ({
      id,
      tenant,
      name,
      condition,
      labels,
      systemAuths: director.oneTimeTokens.ofRuntime(id).length,
    })),
  };
}

function agentRuntimeId(api: KubernetesApi): string | undefined {
  const encoded = api.read('secrets', agentNamespace, agentSecret)?.data?.RUNTIME_ID;
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString();
}

function readIfServed(api: KubernetesApi, type: string, name: string) {
  return api.registry.byName(type) ? api.read(type, undefined, name) : undefined;
}

function moduleStates(api: KubernetesApi): string[] {
  const types = api.registry.all().filter(({ group }) => group === 'operator.kyma-project.io');
  return types.flatMap((type) => api.list(type).map(({ kind, status }) => `${kind} ${status?.state ?? ''}`.trim()));
}
