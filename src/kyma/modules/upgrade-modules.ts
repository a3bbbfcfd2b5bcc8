import { Failure } from '../../domain/failures.ts';
import type { Logger } from '../../domain/logger.ts';
import type { KubernetesObject } from '../../kubernetes/kubernetes-client.ts';
import type { Artifacts } from '../artifacts.ts';
import type { KymaInstaller, UpgradeMark, UpgradeObservation, UpgradeTarget } from '../kyma-installer.ts';
import { ClusterObjects } from './cluster-objects.ts';
import { installModules } from './install-modules.ts';
import { configuredSecrets, type LoadedModule, loadModules, mappedSecrets } from './loaded-module.ts';
import { type PlannedModule, readPlan } from './modules-plan.ts';
import {
  describeInstalled,
  describeModule,
  observeModules,
  type SeenModule,
  type WarningPolicy,
} from './observe-modules.ts';
import { type PlacedObject, pruneObjects, vanishedObjects } from './prune-objects.ts';
import { removeResources } from './remove-modules.ts';
import { isConfirmed, markModules } from './upgrade-mark.ts';
import { distinctModules } from './upgrade-plan.ts';

/** What is left of the progress for deleting what vanished. */
const shareOfModules = 90;

/**
 * Upgrades modules: the new manifests and custom resources are applied at once, in the order of an installation, and the
 * custom resources of modules that are to go are deleted. When all modules work again and none of those is left, objects
 * that only the old manifests have are deleted.
 */
export function modulesUpgrade(options: {
  readonly artifacts: Artifacts;
  readonly fieldManager: string;
  readonly warnings: WarningPolicy;
  readonly log: Logger;
}): Pick<KymaInstaller, 'mark' | 'upgrade' | 'observeUpgrade'> {
  const { artifacts, fieldManager, warnings, log } = options;

  function clusterObjects({ cluster, from, to, signal }: UpgradeTarget): ClusterObjects {
    const planned = [...oldModules({ from, to }), ...readPlan(to).modules];
    const manifests = planned.flatMap(({ manifest }) => artifacts.kept(manifest) ?? []);
    return new ClusterObjects({ cluster, manifests, signal });
  }

  /** Of a manifest that is not to be had any more, only the manager is known. */
  async function loadOld(target: UpgradeTarget): Promise<readonly LoadedModule[]> {
    const { to, signal } = target;
    const current = new Set(readPlan(to).modules.map(({ manifest }) => manifest.sha256));
    const replaced = oldModules(target).filter(({ manifest }) => !current.has(manifest.sha256));
    const loaded = replaced.map(async (planned): Promise<readonly LoadedModule[]> => {
      try {
        const read = () => artifacts.objects(planned.manifest, signal);
        return await loadModules({ plan: { version: 1, release: '', modules: [planned] }, read });
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        log.warn({ err: error, url: planned.manifest.url }, 'what a module had before its upgrade is left behind');
        return [{ planned, manifest: [managerOf(planned)] }];
      }
    });
    return (await Promise.all(loaded)).flat();
  }

  async function look(target: UpgradeTarget, planned: readonly PlannedModule[]): Promise<readonly SeenModule[]> {
    const { cluster, signal } = target;
    return observeModules({ cluster, planned, objects: clusterObjects(target), warnings, signal });
  }

  async function prune(target: UpgradeTarget): Promise<{ left: number; kept: readonly string[] }> {
    const { cluster, to, signal } = target;
    const stale = staleSecrets(target);
    const old = await loadOld(target);
    if (old.length === 0 && stale.length === 0) return { left: 0, kept: [] };
    const read = (manifest: PlannedModule['manifest']) => artifacts.objects(manifest, signal);
    const current = await loadModules({ plan: readPlan(to), read });
    const manifests = [...old, ...current].flatMap(({ manifest }) => manifest);
    const objects = new ClusterObjects({ cluster, manifests, signal });
    const vanished = [...(await vanishedObjects({ old, current, objects })), ...stale];
    return pruneObjects({ vanished, objects, fieldManager });
  }

  return {
    async mark(target) {
      const planned = [...new Map([...oldModules(target), ...readPlan(target.to).modules].map(byName)).values()];
      const seen = await look(target, planned);
      return markModules(new Map(seen.map((each) => [each.module.name, each.seen])));
    },

    async upgrade(target) {
      const { cluster, to, signal } = target;
      const modules = await loadModules({
        plan: readPlan(to),
        read: (manifest) => artifacts.objects(manifest, signal),
      });
      const manifests = modules.flatMap(({ manifest }) => manifest);
      const objects = new ClusterObjects({ cluster, manifests, signal });
      const kept = await installModules({ modules, config: to.config, objects, artifacts, log, signal });
      await removeResources({ modules: retiredModules(target), objects: clusterObjects(target), which: 'own' });
      return kept.map(
        (name) =>
          `the custom resource of ${name} was changed in the cluster and stays as it is (conflictStrategy Merge)`,
      );
    },

    async observeUpgrade(target) {
      const modules = await look(target, readPlan(target.to).modules);
      if (modules.every(({ state }) => state === 'absent')) return { state: 'absent' };
      const retired = retiredModules(target);
      const objects = clusterObjects(target);
      const removal = await removeResources({ modules: retired, objects, which: 'own' });
      const working = modules.filter(({ state }) => state === 'working' || state === 'absent');
      const settled = modules.length - working.length;
      if (working.length > 0 || removal.state === 'working') {
        const words = [
          `Kyma modules ready: ${settled} of ${modules.length}`,
          ...working.map(describeModule),
          ...(removal.state === 'working' ? [removal.message] : []),
        ];
        const cleared = removal.state === 'removed' ? retired.length : 0;
        const share = (settled + cleared) / (modules.length + retired.length);
        return { state: 'working', message: words.join('; '), progress: Math.floor(share * shareOfModules) };
      }
      const { left, kept } = await prune(target);
      if (left > 0) {
        const message = `Kyma modules are ready; removing what the new release does not have: ${left} objects left`;
        return { state: 'working', message, progress: shareOfModules };
      }
      return confirmed(modules, target.mark, [describeInstalled(modules), ...kept].join('; '));
    },
  };
}

function confirmed(modules: readonly SeenModule[], mark: UpgradeMark, installed: string): UpgradeObservation {
  const open = modules.filter(({ module, seen }) => !isConfirmed({ mark, name: module.name, objects: seen }));
  if (open.length === 0) return { state: 'installed', message: installed };
  const names = open.map(({ module }) => `${module.name} ${module.version}`).join(', ');
  const message = `${installed}; making sure that its manager has looked at it since the upgrade: ${names}`;
  return { state: 'unconfirmed', message, progress: 99 };
}

/** Secrets that the old modules, or other entries, may have had and that nothing makes up any more. */
function staleSecrets(target: Pick<UpgradeTarget, 'from' | 'to'>): readonly PlacedObject[] {
  const { modules } = readPlan(target.to);
  const key = ({ metadata }: KubernetesObject) => `${metadata.namespace}/${metadata.name}`;
  const current = new Set(modules.flatMap((module) => configuredSecrets(module, target.to.config)).map(key));
  const all = [...oldModules(target), ...modules].flatMap(mappedSecrets);
  const stale = new Map(all.filter((secret) => !current.has(key(secret))).map((secret) => [key(secret), secret]));
  return [...stale.values()].map((object) => ({ object, namespace: object.metadata.namespace ?? '' }));
}

/** All that may be on the cluster from before. */
function oldModules({ from, to }: Pick<UpgradeTarget, 'from' | 'to'>): readonly PlannedModule[] {
  return distinctModules([...readPlan(from).modules, ...(readPlan(to).leftBehind ?? [])]);
}

/** Those that are not to be there any more, each once. */
function retiredModules(target: Pick<UpgradeTarget, 'from' | 'to'>): readonly PlannedModule[] {
  const staying = new Set(readPlan(target.to).modules.map(({ name }) => name));
  const old = new Map(oldModules(target).map(byName));
  return [...old.values()].filter(({ name }) => !staying.has(name));
}

function byName(module: PlannedModule): [string, PlannedModule] {
  return [module.name, module];
}

function managerOf({ manager }: PlannedModule): KubernetesObject {
  const { apiVersion, kind, name, namespace } = manager;
  return { apiVersion, kind, metadata: { name, namespace } };
}
