import type { Problem } from '../domain/failures.ts';
import type { KymaComponent, KymaConfig } from '../domain/kyma-config.ts';
import type { Logger } from '../domain/logger.ts';
import type { Artifacts } from './artifacts.ts';
import { askedModules } from './asked-modules.ts';
import type { CatalogueContents, CatalogueSource, KymaRelease, ModuleRelease } from './catalogue-file.ts';
import { type DependencyPolicy, dependencyProblems } from './dependency-problems.ts';
import { type AskSource, sourceAsker } from './installer-cr/ask-source.ts';
import { type ResolveHost, resolveHost as resolveByName } from './installer-cr/check-source.ts';
import { resolveInstallerUpgrade } from './installer-cr/resolve-installer-upgrade.ts';
import { type FoundInstallerRelease, resolveInstallerRelease } from './installer-cr/resolve-release.ts';
import type { KymaCatalogue, ResolvedKyma, UpgradeRequest } from './kyma-installer.ts';
import { configuredSpec } from './modules/configure-resource.ts';
import { findDefinition, specSchema } from './modules/custom-resource-schema.ts';
import { type ModulesPlan, planModules, readPlan } from './modules/modules-plan.ts';
import {
  completedConfig,
  downgradeProblems,
  keepsModules,
  keptModuleProblems,
  withLeftBehind,
} from './modules/upgrade-plan.ts';

/** A caller waits while its configuration is compared with the module's own schema, in milliseconds. */
const schemaPatience = 5_000;

/** Resolves Kyma configurations against the operator's catalogue: the release decides what installs it. */
export function kymaCatalogue(options: {
  readonly file: CatalogueSource;
  readonly artifacts: Artifacts;
  /** What becomes of a configuration that leaves out what its modules need; added when not given. */
  readonly dependencies?: DependencyPolicy;
  readonly log: Logger;
  /** Of the hosts that callers name; by the system's own means when not given. */
  readonly resolveHost?: ResolveHost;
  /** Of what callers name; over connections to public addresses when not given. */
  readonly askSource?: AskSource;
}): KymaCatalogue {
  const { file, artifacts, dependencies = 'add', log, resolveHost = resolveByName } = options;
  const { askSource = sourceAsker({ privateAddresses: 'refused' }) } = options;

  async function resolve(config: KymaConfig, path: string): Promise<ResolvedKyma> {
    const contents = await file.contents();
    const ofKyma1 = findInstallerRelease(contents, config.version);
    if (ofKyma1) return resolveKyma1(config, path, contents, ofKyma1);
    const problems: Problem[] = unsupported(config, path);
    const found = findRelease(contents, config.version);
    if (!found) {
      const versions = list({ ...contents.releases, ...contents.installerReleases });
      const message = `there is no Kyma ${config.version}; there are the channels ${list(contents.channels)} and the versions ${versions}`;
      problems.push({ path: `${path}.version`, message, code: 'KYMA_RELEASE_NOT_FOUND' });
      return { problems };
    }
    const asked = askedModules({ config, path, ...found });
    problems.push(...componentProblems({ config, path, ...found }), ...asked.problems);
    if (dependencies === 'refuse') problems.push(...dependencyProblems({ config, path, asked: asked.names, ...found }));
    if (problems.length > 0) return { problems };
    const { modules } = found.release;
    const plan = planModules({ release: found.id, modules, names: asked.names });
    problems.push(...(await configurationProblems({ config, path, modules, artifacts, log })));
    if (problems.length > 0) return { problems };
    return { installation: { config: withPlannedComponents(config, plan), installer: 'modules', plan } };
  }

  async function resolveKyma1(
    config: KymaConfig,
    path: string,
    { sourceHosts }: CatalogueContents,
    found: FoundInstallerRelease,
  ): Promise<ResolvedKyma> {
    const sources = { hosts: sourceHosts, resolve: resolveHost, ask: askSource, log };
    return resolveInstallerRelease({ config, path, found, sources });
  }

  async function resolveUpgrade(request: UpgradeRequest): Promise<ResolvedKyma> {
    const { config, path, active, attempted } = request;
    const contents = await file.contents();
    const ofKyma1 = findInstallerRelease(contents, config.version);
    if (ofKyma1 && active.installer === 'installer-cr') {
      const { installerReleases: releases } = contents;
      const resolveAll = (completed: KymaConfig) => resolveKyma1(completed, path, contents, ofKyma1);
      return resolveInstallerUpgrade({ request, found: ofKyma1, releases, resolve: resolveAll });
    }
    if (ofKyma1 || (active.installer !== 'modules' && findRelease(contents, config.version))) {
      const [is, wants] = ofKyma1 ? ['modules', 'Kyma 1'] : ['Kyma 1', 'modules'];
      const message = `Kyma ${active.config.version}, which is active, is of ${is} and cannot become ${config.version}, which is of ${wants}`;
      return { problems: [{ path: `${path}.version`, message, code: 'NOT_SUPPORTED' }] };
    }
    // Nothing has that name: the same answer as for a new Runtime.
    if (active.installer !== 'modules') return resolve(config, path);
    const keeps = keepsModules(config);
    const found = keeps ? findRelease(contents, config.version) : undefined;
    const gone = found ? keptModuleProblems({ active, path, ...found }) : [];
    if (gone.length > 0) return { problems: [...unsupported(config, path), ...gone] };
    const resolved = await resolve(completedConfig(config, active), path);
    if ('problems' in resolved) return keeps ? { problems: resolved.problems.map(aboutKept(path)) } : resolved;
    const plan = readPlan(resolved.installation);
    const problems = downgradeProblems({ active: readPlan(active), next: plan, path });
    if (problems.length > 0) return { problems };
    return { installation: { ...resolved.installation, plan: withLeftBehind(plan, attempted) } };
  }

  return { resolve, resolveUpgrade };
}

/** A component that the caller did not name has no place in the input. */
function aboutKept(path: string): (problem: Problem) => Problem {
  return (problem) =>
    /\.(components|modules)\./.test(problem.path.slice(path.length))
      ? { ...problem, path: `${path}.components`, message: `what is active cannot be kept: ${problem.message}` }
      : problem;
}

function findRelease(contents: CatalogueContents, version: string): { id: string; release: KymaRelease } | undefined {
  const id = own(contents.channels, version) ?? version;
  const release = own(contents.releases, id);
  return release && { id, release };
}

function findInstallerRelease(
  { installerReleases }: CatalogueContents,
  version: string,
): FoundInstallerRelease | undefined {
  const release = own(installerReleases, version);
  return release && { id: version, release };
}

function unsupported(config: KymaConfig, path: string): Problem[] {
  const problems: Problem[] = [];
  const refuse = (field: string, message: string) =>
    problems.push({ path: `${path}.${field}`, message, code: 'KYMA_COMPONENT_INVALID' });
  if (config.profile !== undefined) {
    refuse('profile', `profile ${config.profile} is not supported for module releases; leave it out`);
  }
  if (config.configuration && config.configuration.length > 0) {
    refuse('configuration', 'global configuration is not supported for module releases; configure each component');
  }
  return problems;
}

function componentProblems(options: {
  readonly config: KymaConfig;
  readonly path: string;
  readonly id: string;
  readonly release: KymaRelease;
}): Problem[] {
  const { config, path, id, release } = options;
  const problems: Problem[] = [];
  for (const [index, { component, namespace, sourceURL }] of config.components.entries()) {
    const refuse = (field: string, message: string) =>
      problems.push({ path: `${path}.components.${index}.${field}`, message, code: 'KYMA_COMPONENT_INVALID' });
    const found = own(release.modules, component);
    if (!found) {
      refuse('component', `there is no module "${component}" in Kyma ${id}; there is ${list(release.modules)}`);
    } else if (namespace !== found.namespace) {
      refuse('namespace', `the module ${component} lives in the namespace ${found.namespace}, not in "${namespace}"`);
    }
    if (config.components.findIndex((other) => other.component === component) < index) {
      refuse('component', `the module "${component}" is named twice`);
    }
    if (sourceURL !== undefined) {
      refuse(
        'sourceURL',
        'sourceURL is not supported for module releases: modules come from the catalogue; leave it out',
      );
    }
  }
  return problems;
}

async function configurationProblems(options: {
  readonly config: KymaConfig;
  readonly path: string;
  readonly modules: KymaRelease['modules'];
  readonly artifacts: Artifacts;
  readonly log: Logger;
}): Promise<Problem[]> {
  const { config, path, modules, artifacts, log } = options;
  const found = await Promise.all(
    config.components.map(async ({ component, configuration = [] }, index) => {
      const module = own(modules, component);
      if (!module || configuration.length === 0) return [];
      const schema = await readSchema({ module, artifacts, log });
      const { mistakes } = configuredSpec(configuration, schema, module.confidential);
      return mistakes.map(
        ({ entry, field, message }): Problem => ({
          path: `${path}.components.${index}.configuration.${entry}.${field}`,
          message: `module ${component}: ${message}`,
          code: 'KYMA_COMPONENT_INVALID',
        }),
      );
    }),
  );
  return found.flat();
}

/** A manifest that cannot be had now does not hold the caller: the installation checks again. */
async function readSchema(options: {
  readonly module: ModuleRelease;
  readonly artifacts: Artifacts;
  readonly log: Logger;
}) {
  const { module, artifacts, log } = options;
  try {
    const objects = await artifacts.objects(module.manifest, AbortSignal.timeout(schemaPatience));
    const definition = findDefinition(objects, module.resource);
    return definition && specSchema(definition, module.resource.apiVersion);
  } catch (error) {
    log.warn({ err: error, url: module.manifest.url }, 'a component configuration is accepted without its schema');
    return undefined;
  }
}

/** What will be there, in the order of installation; what was added is answered as if it had been asked for. */
function withPlannedComponents(config: KymaConfig, plan: ModulesPlan): KymaConfig {
  const components = plan.modules.map(
    ({ name, namespace }): KymaComponent =>
      config.components.find(({ component }) => component === name) ?? { component: name, namespace },
  );
  return { ...config, components };
}

function own<Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

function list(record: Readonly<Record<string, unknown>>): string {
  return Object.keys(record).join(', ') || 'none';
}
