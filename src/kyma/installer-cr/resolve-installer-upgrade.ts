import type { Problem } from '../../domain/failures.ts';
import type { KymaComponent, KymaConfig, KymaInstallation } from '../../domain/kyma-config.ts';
import { compareVersions } from '../compare-versions.ts';
import type { ResolvedKyma, UpgradeRequest } from '../kyma-installer.ts';
import { type InstallerPlan, readInstallerPlan } from './installer-plan.ts';
import { type InstallerRelease, minorOf } from './installer-release.ts';
import type { FoundInstallerRelease } from './resolve-release.ts';

/**
 * An upgrade of Kyma 1: never to an older release, and one minor version at a time. Without components and modules, those
 * that are active are kept, with their configuration and profile. No upgrade removes a component: one that is not named
 * stays, and is upgraded as long as the release has it.
 */
export async function resolveInstallerUpgrade({
  request: { config, path, active, attempted },
  found,
  releases,
  resolve,
}: {
  readonly request: UpgradeRequest;
  readonly found: FoundInstallerRelease;
  /** All that there are, to be named in a refusal. */
  readonly releases: Readonly<Record<string, unknown>>;
  readonly resolve: (config: KymaConfig) => Promise<ResolvedKyma>;
}): Promise<ResolvedKyma> {
  const before = readInstallerPlan(active);
  const problems = stepProblems({ from: before.release, to: found.id, releases, path });
  if (problems.length > 0) return { problems };
  const keeps = config.components.length === 0 && config.modules === undefined;
  const asked = keeps ? completed(config, active) : config;
  const isNamed = ({ component }: KymaComponent) => asked.components.some((each) => each.component === component);
  const others = active.config.components.filter((component) => !isNamed(component));
  const kept = others.filter(({ component, sourceURL }) => sourceURL !== undefined || has(found.release, component));
  const resolved = await resolve({ ...asked, components: [...asked.components, ...kept] });
  if ('problems' in resolved) return { problems: resolved.problems.map(aboutKept(path, config.components.length)) };
  const { modules } = keeps ? active.config : config;
  const installed = { ...resolved.installation.config, ...(modules && { modules }) };
  const plan = readInstallerPlan(resolved.installation);
  const leftBehind = leftOf({ before, active, attempted }).filter(
    (name) => !plan.components.some((component) => component.name === name),
  );
  return {
    installation: {
      ...{ config: installed, installer: 'installer-cr' },
      plan: { ...plan, ...(leftBehind.length > 0 && { leftBehind }) },
    },
  };
}

function stepProblems({
  from,
  to,
  releases,
  path,
}: {
  readonly from: string;
  readonly to: string;
  readonly releases: Readonly<Record<string, unknown>>;
  readonly path: string;
}): readonly Problem[] {
  const refuse = (message: string) => [{ path: `${path}.version`, message }];
  if ((compareVersions(to, from) ?? 0) < 0) {
    const rule = 'an upgrade goes to the same release or a newer one';
    return refuse(`Kyma ${to} is older than ${from}, which is active; ${rule}`);
  }
  const [now = 0, next = 0] = [minorOf(from), minorOf(to)];
  if (next <= now + 1) return [];
  const reachable = Object.keys(releases).filter((id) => {
    const minor = minorOf(id) ?? 0;
    return minor <= now + 1 && (compareVersions(id, from) ?? 0) > 0;
  });
  const can = reachable.length > 0 ? `there is ${reachable.join(', ')}` : `there is no release of Kyma 1.${now + 1}`;
  return refuse(`Kyma 1 is upgraded one minor version at a time, and ${from} is active; ${can}`);
}

/** What is not asked for is as it was. */
function completed(config: KymaConfig, active: KymaInstallation): KymaConfig {
  const { profile, conflictStrategy, configuration } = active.config;
  return {
    ...(profile && { profile }),
    ...(conflictStrategy && { conflictStrategy }),
    ...(configuration && { configuration }),
    ...config,
  };
}

/** Names of what may be in the cluster: an upgrade that failed may have brought some of its components. */
function leftOf({
  before,
  active,
  attempted,
}: {
  readonly before: InstallerPlan;
  readonly active: KymaInstallation;
  readonly attempted: KymaInstallation | undefined;
}): readonly string[] {
  const components = [...active.config.components, ...(attempted?.config.components ?? [])];
  return [...new Set([...(before.leftBehind ?? []), ...components.map(({ component }) => component)])];
}

function has({ components }: InstallerRelease, wanted: string): boolean {
  return components.some(({ name }) => name === wanted);
}

/** A component that the caller did not name has no place in the input. */
function aboutKept(path: string, named: number): (problem: Problem) => Problem {
  const inComponents = /^\.components\.(\d+)\./;
  return (problem) => {
    const index = inComponents.exec(problem.path.slice(path.length))?.[1];
    if (index === undefined || Number(index) < named) return problem;
    return { ...problem, path: `${path}.components`, message: `what is active cannot be kept: ${problem.message}` };
  };
}
