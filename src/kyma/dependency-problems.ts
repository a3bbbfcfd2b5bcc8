import type { Problem } from '../domain/failures.ts';
import type { KymaConfig } from '../domain/kyma-config.ts';
import { namedModule } from './asked-modules.ts';
import type { KymaRelease } from './catalogue-file.ts';

/** What becomes of a configuration that leaves out what its modules need. */
export type DependencyPolicy = 'add' | 'refuse';

/**
 * A mistake for each module that a caller names without all that it needs. What the release's minimal set needs is added
 * all the same, as no caller has named it.
 */
export function dependencyProblems({
  config,
  path,
  asked,
  id,
  release: { modules },
}: {
  readonly config: KymaConfig;
  readonly path: string;
  /** Names of all modules that the configuration comes to. */
  readonly asked: readonly string[];
  readonly id: string;
  readonly release: KymaRelease;
}): readonly Problem[] {
  const named = [
    ...config.components.map(({ component }, index) => ({ name: component, field: `components.${index}.component` })),
    ...(config.modules ?? []).map((given, index) => ({ name: namedModule(given, modules), field: `modules.${index}` })),
  ];
  const ofMinimal = asked.filter((name) => !named.some((each) => each.name === name));
  const given = new Set([...asked, ...ofMinimal.flatMap((name) => neededBy(name, modules))]);
  return named.flatMap(({ name, field }): readonly Problem[] => {
    const missing = neededBy(name, modules).filter((needed) => !given.has(needed));
    if (missing.length === 0) return [];
    const message = `the module ${name} of Kyma ${id} needs ${missing.join(', ')}; name what it needs, too`;
    return [{ path: `${path}.${field}`, message, code: 'KYMA_COMPONENT_INVALID' }];
  });
}

/** All of it, direct or not. */
function neededBy(name: string | undefined, modules: KymaRelease['modules']): readonly string[] {
  const needed = new Set<string>();
  const add = (each: string | undefined) => {
    const requires = each !== undefined && Object.hasOwn(modules, each) ? modules[each]?.requires : undefined;
    for (const required of requires ?? []) {
      if (needed.has(required)) continue;
      needed.add(required);
      add(required);
    }
  };
  add(name);
  return [...needed];
}
