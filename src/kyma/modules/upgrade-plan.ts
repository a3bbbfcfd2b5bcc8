import type { Problem } from '../../domain/failures.ts';
import type { KymaConfig, KymaInstallation } from '../../domain/kyma-config.ts';
import type { KymaRelease } from '../catalogue-file.ts';
import { compareVersions } from '../compare-versions.ts';
import { type ModulesPlan, type PlannedModule, readPlan } from './modules-plan.ts';

/** An upgrade that names neither components nor modules keeps what is active, configuration included. */
export function keepsModules({ components, modules }: KymaConfig): boolean {
  return components.length === 0 && modules === undefined;
}

/** What an upgrade asks for, completed by what is active. */
export function completedConfig(config: KymaConfig, active: KymaInstallation): KymaConfig {
  if (!keepsModules(config)) return config;
  const { components, modules, conflictStrategy } = active.config;
  return {
    ...(conflictStrategy && { conflictStrategy }),
    ...config,
    components,
    ...(modules && { modules }),
  };
}

/** Mistakes in an upgrade that keeps its modules: each has to exist in the release. */
export function keptModuleProblems(options: {
  readonly active: KymaInstallation;
  readonly path: string;
  readonly id: string;
  readonly release: KymaRelease;
}): readonly Problem[] {
  const { active, path, id, release } = options;
  const gone = active.config.components.filter(({ component }) => !Object.hasOwn(release.modules, component));
  const have = Object.keys(release.modules).join(', ') || 'none';
  return gone.map(({ component }) => ({
    path: `${path}.components`,
    message: `the module "${component}", which is active, is not in Kyma ${id}; name the modules that are to be there: there is ${have}`,
    code: 'KYMA_COMPONENT_INVALID',
  }));
}

/** A release, and each module in it, may only become newer. */
export function downgradeProblems(options: {
  readonly active: ModulesPlan;
  readonly next: ModulesPlan;
  readonly path: string;
}): readonly Problem[] {
  const { active, next, path } = options;
  const older = next.modules.flatMap(({ name, version }) => {
    const now = active.modules.find((module) => module.name === name)?.version;
    const isOlder = now !== undefined && (compareVersions(version, now) ?? 0) < 0;
    return isOlder ? [`${name} ${version} (active: ${now})`] : [];
  });
  if (older.length === 0 && (compareVersions(next.release, active.release) ?? 0) >= 0) return [];
  const modules = older.length === 0 ? '' : `: ${older.join(', ')}`;
  const message = `Kyma ${next.release} is older than ${active.release}, which is active${modules}; an upgrade goes to the same release or a newer one`;
  return [{ path: `${path}.version`, message }];
}

/**
 * The plan, with what an upgrade before it may have left on the cluster: one that failed, or was rolled back. It is
 * removed with what vanishes.
 */
export function withLeftBehind(plan: ModulesPlan, attempted: KymaInstallation | undefined): ModulesPlan {
  if (attempted === undefined) return plan;
  const { modules, leftBehind = [] } = readPlan(attempted);
  const left = distinctModules([...modules, ...leftBehind]);
  return { ...plan, leftBehind: [...left] };
}

/** Each manifest of each module once. */
export function distinctModules(modules: readonly PlannedModule[]): readonly PlannedModule[] {
  const byManifest = new Map(modules.map((module) => [`${module.name} ${module.manifest.sha256}`, module]));
  return [...byManifest.values()];
}
