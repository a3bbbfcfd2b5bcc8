import { Failure } from '../../domain/failures.ts';
import type { Logger } from '../../domain/logger.ts';
import type { KubernetesObject } from '../../kubernetes/kubernetes-client.ts';
import type { ArtifactReference, Artifacts } from '../artifacts.ts';
import type {
  InstallationObservation,
  InstallationTarget,
  KymaInstaller,
  RemovalObservation,
} from '../kyma-installer.ts';
import { ClusterObjects } from './cluster-objects.ts';
import { describeModules } from './describe-modules.ts';
import { inParallel, requestsAtOnce } from './in-parallel.ts';
import { installModules } from './install-modules.ts';
import { loadModules } from './loaded-module.ts';
import { type ModuleState, moduleState } from './module-state.ts';
import { type PlannedModule, readPlan } from './modules-plan.ts';
import { removeManagers, removeResources } from './remove-modules.ts';
import { wellKnownKind } from './well-known-kinds.ts';

type SeenModule = ModuleState & { readonly module: PlannedModule };

/** Kyma as modules (Kyma 2 and later): a manager and a custom resource per module, without a control plane of Kyma. */
export function modulesInstaller(options: { readonly artifacts: Artifacts; readonly log: Logger }): KymaInstaller {
  const { artifacts, log } = options;

  /** Kinds come from manifests in memory, or from the cluster: what is looked at needs no download. */
  async function look({ cluster, installation, signal }: InstallationTarget) {
    const plan = readPlan(installation);
    const manifests = plan.modules.flatMap(({ manifest }) => artifacts.kept(manifest) ?? []);
    return { plan, objects: new ClusterObjects({ cluster, manifests, signal }) };
  }

  async function loadAll(
    { cluster, installation, signal }: InstallationTarget,
    read: (manifest: ArtifactReference) => Promise<readonly KubernetesObject[]>,
  ) {
    const modules = await loadModules({ plan: readPlan(installation), read });
    const manifests = modules.flatMap(({ manifest }) => manifest);
    return { modules, objects: new ClusterObjects({ cluster, manifests, signal }) };
  }

  /** A manifest that is not to be had any more keeps no cluster from being deprovisioned: its manager goes with it. */
  async function readIfThere(manifest: ArtifactReference, signal: AbortSignal) {
    try {
      return await artifacts.objects(manifest, signal);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      log.warn({ err: error, url: manifest.url }, 'the manager of a module is left behind on the cluster');
      return [];
    }
  }

  async function removeFurther(target: InstallationTarget): Promise<RemovalObservation> {
    const resources = await removeResources(await look(target));
    if (resources.state === 'working') return resources;
    return removeManagers(await loadAll(target, (manifest) => readIfThere(manifest, target.signal)));
  }

  return {
    kind: 'modules',

    describe: describeModules,

    async install(target) {
      const { signal } = target;
      const { config } = target.installation;
      const loaded = await loadAll(target, (manifest) => artifacts.objects(manifest, signal));
      await installModules({ ...loaded, config, artifacts, log, signal });
    },

    async observe(target) {
      const { plan, objects } = await look(target);
      return judge(await observeModules(target, plan.modules, objects));
    },

    async uninstall(target) {
      await removeFurther(target);
    },

    observeRemoval: removeFurther,
  };
}

/** One list for all managers of a namespace, and one read for each custom resource. */
async function observeModules(
  { cluster, signal }: InstallationTarget,
  planned: readonly PlannedModule[],
  objects: ClusterObjects,
): Promise<readonly SeenModule[]> {
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
  return planned.map((module, index) => ({
    module,
    ...moduleState({ manager: managers.find((object) => isManagerOf(module, object)), resource: resources[index] }),
  }));
}

async function readResource(options: {
  readonly cluster: InstallationTarget['cluster'];
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

function judge(modules: readonly SeenModule[]): InstallationObservation {
  if (modules.every(({ state }) => state === 'absent')) return { state: 'absent' };
  const working = modules.filter(({ state }) => state === 'working' || state === 'absent');
  const settled = modules.length - working.length;
  const describe = ({ module, message }: SeenModule) => `${module.name} ${module.version}: ${message}`;
  if (working.length > 0) {
    const message = `Kyma modules ready: ${settled} of ${modules.length}; ${working.map(describe).join('; ')}`;
    return { state: 'working', message, progress: Math.floor((settled / modules.length) * 100) };
  }
  const installed = modules.map(({ module }) => `${module.name} ${module.version}`).join(', ');
  const attention = modules.filter(({ state }) => state === 'attention');
  const needs = attention.length > 0 ? `; needs attention: ${attention.map(describe).join('; ')}` : '';
  return { state: 'installed', message: `Kyma modules are installed: ${installed}${needs}` };
}
