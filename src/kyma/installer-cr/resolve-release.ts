import type { Problem } from '../../domain/failures.ts';
import type { KymaComponent, KymaConfig, KymaInstallation } from '../../domain/kyma-config.ts';
import { askedModules } from '../asked-modules.ts';
import type { ResolvedKyma } from '../kyma-installer.ts';
import { configurationProblems } from './check-configuration.ts';
import { type SourceRules, sourceMistake } from './check-source.ts';
import type { InstallerPlan } from './installer-plan.ts';
import type { InstallerRelease } from './installer-release.ts';

/** What Kubernetes takes as the name of a namespace, and Helm as that of a release. */
const namePattern = /^[a-z0-9]([-a-z0-9]{0,51}[a-z0-9])?$/;

export interface FoundInstallerRelease {
  readonly id: string;
  readonly release: InstallerRelease;
}

/** Checks a configuration against a release of Kyma 1, and plans what the installer in the cluster is told. */
export async function resolveInstallerRelease({
  config,
  path,
  found,
  sources,
}: {
  readonly config: KymaConfig;
  readonly path: string;
  readonly found: FoundInstallerRelease;
  /** From where components may come that are not in the release. */
  readonly sources: SourceRules;
}): Promise<ResolvedKyma> {
  const { id, release } = found;
  const { names, problems } = askedModules({ config, path, id, release: namedComponents(release) });
  const sourceProblems = config.components.map(async ({ sourceURL }, index): Promise<readonly Problem[]> => {
    const message = sourceURL === undefined ? undefined : await sourceMistake({ sourceURL, ...sources });
    const field = `${path}.components.${index}.sourceURL`;
    return message === undefined ? [] : [{ path: field, message, code: 'KYMA_COMPONENT_INVALID' }];
  });
  const all = [
    ...problems,
    ...config.components.flatMap((component, index) => componentProblems({ component, index, config, path, found })),
    ...configurationProblems(config.configuration ?? [], `${path}.configuration`),
    ...(await Promise.all(sourceProblems)).flat(),
  ];
  if (all.length > 0) return { problems: all };
  return { installation: plan({ config, found, names }) };
}

/** The same installation with these components, too, at their place in the release's order. */
function plan({
  config,
  found: { id, release },
  names,
}: {
  readonly config: KymaConfig;
  readonly found: FoundInstallerRelease;
  readonly names: readonly string[];
}): KymaInstallation {
  const components = (config.modules ? inOrder(names, release) : names).map((name): KymaComponent => {
    const asked = config.components.find(({ component }) => component === name);
    return asked ?? { component: name, namespace: namespaceOf(release, name) ?? '' };
  });
  const { installer, tiller } = release;
  const content: InstallerPlan = {
    ...{ version: 1, release: id, installer },
    ...(tiller && { tiller }),
    components: components.map(({ component, namespace, sourceURL }) => ({
      ...{ name: component, namespace },
      ...(sourceURL !== undefined && { sourceURL }),
    })),
  };
  return { config: { ...config, components }, installer: 'installer-cr', plan: content };
}

function componentProblems({
  component: { component, namespace, sourceURL, configuration = [] },
  index,
  config,
  path,
  found: { id, release },
}: {
  readonly component: KymaComponent;
  readonly index: number;
  readonly config: KymaConfig;
  readonly path: string;
  readonly found: FoundInstallerRelease;
}): readonly Problem[] {
  const problems: Problem[] = [];
  const own = `${path}.components.${index}`;
  const refuse = (field: string, message: string) =>
    problems.push({ path: `${own}.${field}`, message, code: 'KYMA_COMPONENT_INVALID' });
  const known = namespaceOf(release, component);
  if (sourceURL !== undefined) {
    if (!namePattern.test(component)) refuse('component', `"${component}" is not a name such as my-component`);
    if (!namePattern.test(namespace)) refuse('namespace', `"${namespace}" is not a name such as kyma-system`);
  } else if (known === undefined) {
    const have = release.components.map(({ name }) => name).join(', ');
    refuse(
      'component',
      `there is no component "${component}" in Kyma ${id}; there is ${have}; others need a sourceURL`,
    );
  } else if (namespace !== known) {
    refuse('namespace', `the component ${component} lives in the namespace ${known}, not in "${namespace}"`);
  }
  if (config.components.findIndex((other) => other.component === component) < index) {
    refuse('component', `the component "${component}" is named twice`);
  }
  return [...problems, ...configurationProblems(configuration, `${own}.configuration`)];
}

/** Components of the release in its order, then the others. */
function inOrder(names: readonly string[], { components }: InstallerRelease): readonly string[] {
  const known = components.map(({ name }) => name);
  return [...known.filter((name) => names.includes(name)), ...names.filter((name) => !known.includes(name))];
}

function namedComponents({ components, minimal }: InstallerRelease) {
  return { modules: Object.fromEntries(components.map((component) => [component.name, component])), minimal };
}

function namespaceOf({ components }: InstallerRelease, wanted: string): string | undefined {
  return components.find(({ name }) => name === wanted)?.namespace;
}
