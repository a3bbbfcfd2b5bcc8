import type { Problem } from '../domain/failures.ts';
import type { KymaConfig } from '../domain/kyma-config.ts';

/**
 * The names of the modules that a configuration asks for: its components; with `modules` the release's minimal set and
 * those; with neither the minimal set.
 */
export function askedModules({
  config,
  path,
  id,
  release: { modules, minimal },
}: {
  readonly config: KymaConfig;
  readonly path: string;
  readonly id: string;
  readonly release: { readonly modules: Readonly<Record<string, unknown>>; readonly minimal: readonly string[] };
}): { readonly names: readonly string[]; readonly problems: readonly Problem[] } {
  const components = config.components.map(({ component }) => component);
  const have = `there is ${Object.keys(modules).join(', ') || 'none'}`;
  const problems: Problem[] = [];
  const added = (config.modules ?? []).flatMap((given, index) => {
    const name = namedModule(given, modules);
    if (name !== undefined) return [name];
    const message = `there is no module "${given}" in Kyma ${id}; ${have}`;
    problems.push({ path: `${path}.modules.${index}`, message, code: 'KYMA_COMPONENT_INVALID' });
    return [];
  });
  const isLite = config.modules !== undefined || components.length === 0;
  const names = [...new Set([...(isLite ? minimal : []), ...components, ...added])];
  if (names.length === 0 && problems.length === 0) {
    const message = `error: Kyma components list is empty; Kyma ${id} has no minimal set in the catalogue, so name them: ${have}`;
    problems.push({ path: `${path}.components`, message, code: 'KYMA_COMPONENT_INVALID' });
  }
  return { names, problems };
}

/** The module that a name stands for, which may be that of 2019; undefined when there is none. */
export function namedModule(given: string, modules: Readonly<Record<string, unknown>>): string | undefined {
  return [given, kebabCase(given)].find((candidate) => Object.hasOwn(modules, candidate));
}

/** `PrometheusOperator`, as modules were named in 2019, to `prometheus-operator`. */
function kebabCase(name: string): string {
  return name.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, '-').toLowerCase();
}
