import type { KubernetesClient, KubernetesObject } from '../../kubernetes/kubernetes-client.ts';
import type { ClusterObjects } from './cluster-objects.ts';
import { inParallel, requestsAtOnce } from './in-parallel.ts';
import { type ModuleState, moduleState } from './module-state.ts';
import type { PlannedModule } from './modules-plan.ts';
import type { ModuleObjects } from './upgrade-mark.ts';
import { wellKnownKind } from './well-known-kinds.ts';

/** What becomes of an installation whose module is deployed and warns that a user must do something. */
export type WarningPolicy = 'accept' | 'wait';

export type SeenModule = ModuleState & { readonly module: PlannedModule; readonly seen: ModuleObjects };

/** One list for all managers of a namespace, and one read for each custom resource. */
export async function observeModules(options: {
  readonly cluster: KubernetesClient;
  readonly planned: readonly PlannedModule[];
  readonly objects: ClusterObjects;
  readonly warnings: WarningPolicy;
  readonly signal: AbortSignal;
}): Promise<readonly SeenModule[]> {
  const { cluster, planned, objects, warnings, signal } = options;
  const deployments = wellKnownKind({ apiVersion: 'apps/v1', kind: 'Deployment' });
  if (!deployments) throw new Error('Deployments are a well-known kind');
  const namespaces = [...new Set(planned.map(({ manager }) => manager.namespace))];
  const lists = await inParallel(namespaces, requestsAtOnce(namespaces.length), (namespace) =>
    cluster.list(deployments, { namespace, signal }),
  );
  const resources = await inParallel(planned, requestsAtOnce(planned.length), ({ resource }) =>
    readResource({ cluster, objects, resource, signal }),
  );
  const managers = lists.flatMap(({ items }) => items);
  return planned.map((module, index) => {
    const seen = { manager: managers.find((object) => isManagerOf(module, object)), resource: resources[index] };
    const { state, message } = moduleState(seen);
    return { module, seen, message, state: state === 'attention' && warnings === 'wait' ? 'working' : state };
  });
}

/** Such as `istio 1.11.0: Processing`. */
export function describeModule({ module, message }: SeenModule): string {
  return `${module.name} ${module.version}: ${message}`;
}

/** What a caller reads when everything is there. */
export function describeInstalled(modules: readonly SeenModule[]): string {
  const installed = modules.map(({ module }) => `${module.name} ${module.version}`).join(', ');
  const attention = modules.filter(({ state }) => state === 'attention');
  const needs = attention.length > 0 ? `; needs attention: ${attention.map(describeModule).join('; ')}` : '';
  return `Kyma modules are installed: ${installed}${needs}`;
}

async function readResource(options: {
  readonly cluster: KubernetesClient;
  readonly objects: ClusterObjects;
  readonly resource: PlannedModule['resource'];
  readonly signal: AbortSignal;
}): Promise<KubernetesObject | undefined> {
  const { cluster, objects, resource, signal } = options;
  const kind = await objects.kind(resource);
  if (!kind) return undefined;
  const { name, namespace } = resource;
  return cluster.get({ ...kind, name, ...(namespace !== undefined && { namespace }) }, { signal });
}

function isManagerOf({ manager }: PlannedModule, { metadata }: KubernetesObject): boolean {
  return metadata.name === manager.name && metadata.namespace === manager.namespace;
}
