import { Failure } from '../../domain/failures.ts';
import type { Logger } from '../../domain/logger.ts';
import type { KubernetesObject } from '../../kubernetes/kubernetes-client.ts';
import type { ArtifactReference, Artifacts } from '../artifacts.ts';
import type {
  InstallationObservation,
  InstallationTarget,
  KymaInstaller,
  RemovalObservation,
  RemovalTarget,
} from '../kyma-installer.ts';
import { ClusterObjects } from './cluster-objects.ts';
import { describeModules } from './describe-modules.ts';
import { installModules } from './install-modules.ts';
import { loadModules } from './loaded-module.ts';
import { type ModulesPlan, type PlannedModule, readPlan } from './modules-plan.ts';
import {
  describeInstalled,
  describeModule,
  observeModules,
  type SeenModule,
  type WarningPolicy,
} from './observe-modules.ts';
import { removeManagers, removeResources } from './remove-modules.ts';
import { modulesUpgrade } from './upgrade-modules.ts';
import { distinctModules, withLeftBehind } from './upgrade-plan.ts';

/** Kyma as modules (Kyma 2 and later): a manager and a custom resource per module, without a control plane of Kyma. */
export function modulesInstaller(options: {
  readonly artifacts: Artifacts;
  /** The name under which objects are applied; what others have applied is not pruned. */
  readonly fieldManager: string;
  readonly warnings: WarningPolicy;
  readonly log: Logger;
}): KymaInstaller {
  const { artifacts, fieldManager, warnings, log } = options;

  /** Kinds come from manifests in memory, or from the cluster: what is looked at needs no download. */
  function lookAt({ modules }: ModulesPlan, { cluster, signal }: InstallationTarget): ClusterObjects {
    const manifests = modules.flatMap(({ manifest }) => artifacts.kept(manifest) ?? []);
    return new ClusterObjects({ cluster, manifests, signal });
  }

  async function loadAll(
    plan: ModulesPlan,
    { cluster, signal }: InstallationTarget,
    read: (manifest: ArtifactReference) => Promise<readonly KubernetesObject[]>,
  ) {
    const modules = await loadModules({ plan, read });
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

  async function removeFurther(target: RemovalTarget): Promise<RemovalObservation> {
    const plan = planOfAll(target);
    const objects = lookAt(plan, target);
    const resources = await removeResources({ modules: distinctResources(plan.modules), objects, which: 'all' });
    if (resources.state === 'working') return resources;
    return removeManagers(await loadAll(plan, target, (manifest) => readIfThere(manifest, target.signal)));
  }

  return {
    kind: 'modules',

    describe: describeModules,

    async install(target) {
      const { signal } = target;
      const { config } = target.installation;
      const loaded = await loadAll(readPlan(target.installation), target, (manifest) =>
        artifacts.objects(manifest, signal),
      );
      await installModules({ ...loaded, config, artifacts, log, signal });
    },

    async observe(target) {
      const plan = readPlan(target.installation);
      const { cluster, signal } = target;
      const objects = lookAt(plan, target);
      return judge(await observeModules({ cluster, planned: plan.modules, objects, warnings, signal }));
    },

    /** The managers of modules try again by themselves. */
    async retry() {},

    async uninstall(target) {
      await removeFurther(target);
    },

    observeRemoval: removeFurther,

    ...modulesUpgrade({ artifacts, fieldManager, warnings, log }),
  };
}

/** With what an upgrade may have brought that did not succeed, and upgrades before it. */
function planOfAll({ installation, attempted }: RemovalTarget): ModulesPlan {
  const plan = readPlan(installation);
  if (attempted === undefined) return plan;
  const { leftBehind = [] } = withLeftBehind(plan, attempted);
  return { ...plan, modules: [...distinctModules([...plan.modules, ...leftBehind])] };
}

/** Each kind of custom resource once, whatever versions of its module there may be. */
function distinctResources(modules: readonly PlannedModule[]): readonly PlannedModule[] {
  const keyOf = ({ name, resource: { apiVersion, kind } }: PlannedModule) => `${name} ${apiVersion} ${kind}`;
  const first = new Map<string, PlannedModule>();
  for (const module of modules) if (!first.has(keyOf(module))) first.set(keyOf(module), module);
  return [...first.values()];
}

function judge(modules: readonly SeenModule[]): InstallationObservation {
  if (modules.every(({ state }) => state === 'absent')) return { state: 'absent' };
  const working = modules.filter(({ state }) => state === 'working' || state === 'absent');
  if (working.length === 0) return { state: 'installed', message: describeInstalled(modules) };
  const settled = modules.length - working.length;
  const message = `Kyma modules ready: ${settled} of ${modules.length}; ${working.map(describeModule).join('; ')}`;
  return { state: 'working', message, progress: Math.floor((settled / modules.length) * 100) };
}
