import type { KymaConfig } from '../../domain/kyma-config.ts';
import type { Logger } from '../../domain/logger.ts';
import { KubernetesError } from '../../kubernetes/kubernetes-error.ts';
import type { Artifacts } from '../artifacts.ts';
import { inPhases } from './apply-phases.ts';
import type { ClusterObjects } from './cluster-objects.ts';
import { inParallel, requestsAtOnce } from './in-parallel.ts';
import { type LoadedModule, moduleResources } from './loaded-module.ts';
import { moduleNamespaces } from './module-namespaces.ts';

/**
 * Applies the managers of all modules, phase by phase, then the modules' custom resources in the order of the plan. A
 * custom resource in which a user has changed one of our fields is left as it is, unless the caller asked to replace;
 * the names of these modules are answered.
 */
export async function installModules(options: {
  readonly modules: readonly LoadedModule[];
  readonly config: KymaConfig;
  readonly objects: ClusterObjects;
  readonly artifacts: Artifacts;
  readonly log: Logger;
  readonly signal: AbortSignal;
}): Promise<readonly string[]> {
  const { modules, config, objects, artifacts, log, signal } = options;
  // Before anything is changed: a configuration that cannot be used, or a resource that is not there.
  const resources = await Promise.all(
    modules.map(async (module) => ({ module, ...(await moduleResources({ module, config, artifacts, signal })) })),
  );
  const namespaceOf = new Map(
    modules.flatMap(({ planned, manifest }) => manifest.map((object) => [object, planned.namespace])),
  );
  const manifests = modules.flatMap(({ manifest }) => manifest.filter(({ kind }) => kind !== 'Namespace'));
  for (const phase of inPhases([...moduleNamespaces(modules), ...manifests])) {
    await inParallel(phase.objects, requestsAtOnce(phase.objects.length), (object) =>
      objects.apply(object, { namespace: namespaceOf.get(object) ?? '', force: true }),
    );
  }
  const kept: string[] = [];
  for (const { module, resource, secrets } of resources) {
    const { name, namespace } = module.planned;
    const force = strategyOf(config, name) === 'Replace';
    try {
      for (const secret of secrets) await objects.apply(secret, { namespace, force });
      await objects.apply(resource, { namespace, force });
    } catch (error) {
      if (!(error instanceof KubernetesError) || error.status !== 409 || force) throw error;
      log.warn(
        { module: name, reason: error.message },
        'a user changed the custom resource of a module; it stays as it is',
      );
      kept.push(name);
    }
  }
  return kept;
}

function strategyOf(config: KymaConfig, module: string): KymaConfig['conflictStrategy'] {
  const component = config.components.find(({ component }) => component === module);
  return component?.conflictStrategy ?? config.conflictStrategy;
}
