import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { KymaInstallation } from '../../domain/kyma-config.ts';
import type { Logger } from '../../domain/logger.ts';
import type { KubernetesClient } from '../../kubernetes/kubernetes-client.ts';
import type { Artifacts } from '../artifacts.ts';
import type { InstallationObservation, KymaInstaller, UpgradeMark } from '../kyma-installer.ts';
import { beginRun, keepInstallerRunning } from './begin-run.ts';
import { describeRelease } from './describe-release.ts';
import { findInstallation, freshRun, patchInstallation, type SeenInstallation } from './installation-resource.ts';
import { installationDigest, readInstallerPlan } from './installer-plan.ts';
import { errorOf, installationFailure, phaseOf, progressOf, workOf } from './judge-installation.ts';
import { releaseObjects } from './release-objects.ts';
import { removeKyma } from './remove-kyma.ts';
import { findDeployment, workloadTrouble } from './workloads.ts';

/**
 * How long what looks like an end has to stay so, in milliseconds. The installer takes its order away first and says how
 * it ended in a second request; an error of before stands until then.
 */
const defaultSettleTime = 2_000;

const upgradeMark = z.object({ run: z.string().min(1) });

/** One run of the installer, as it is observed. */
interface Target {
  readonly cluster: KubernetesClient;
  readonly installation: KymaInstallation;
  readonly run: string;
  readonly signal: AbortSignal;
}

/**
 * Installs Kyma 1: an installer in the cluster (before 1.14 with Tiller) that works through the components of an
 * `Installation`, and says there how far it is.
 */
export function installerCr(options: {
  readonly artifacts: Artifacts;
  readonly log: Logger;
  readonly settleTime?: number;
}): KymaInstaller {
  const { artifacts, log, settleTime = defaultSettleTime } = options;

  async function proceed(target: Target): Promise<InstallationObservation> {
    const waitsFor = await beginRun({ ...target, artifacts });
    return working(target, waitsFor ?? 'the installer is told what to do', 0);
  }

  async function observeRun(target: Target, seen: SeenInstallation | undefined): Promise<InstallationObservation> {
    if (seen?.run !== target.run || seen.deleting) return proceed(target);
    return judge(target, seen);
  }

  async function judge(target: Target, seen: SeenInstallation): Promise<InstallationObservation> {
    const phase = phaseOf(seen);
    switch (phase) {
      case 'installed':
        return { state: 'installed', message: describeInstalled(target) };
      case 'failed':
        if (!(await isSettled(target, seen))) return working(target, workOf(seen), progressOf(seen));
        return { state: 'failed', failure: installationFailure(seen, `the installation of ${nameOf(target)}`) };
      case 'prepared':
      case 'unsettled':
      case 'uninstalled':
        // Somebody has taken the order away, or undone what it had brought about.
        if (await isSettled(target, seen)) await orderAgain(target, seen);
        return working(target, workOf(seen), progressOf(seen));
      case 'queued':
      case 'running':
      case 'retrying': {
        const trouble = await keepInstallerRunning({ ...target, artifacts });
        const error = phase === 'retrying' ? errorOf(seen) : undefined;
        const words = [
          phase === 'queued' ? 'the installer is about to begin' : workOf(seen),
          ...(error === undefined ? [] : [`failed and is tried again: ${error}`]),
          ...(trouble === undefined ? [] : [`the installer does not run: ${trouble}`]),
        ];
        return working(target, words.join('; '), progressOf(seen));
      }
    }
  }

  /** True when nothing has changed for a while. */
  async function isSettled({ cluster, signal }: Target, seen: SeenInstallation): Promise<boolean> {
    await pause(settleTime, undefined, { signal });
    return (await findInstallation(cluster, signal))?.resourceVersion === seen.resourceVersion;
  }

  return {
    kind: 'installer-cr',

    describe: describeRelease,

    async install(target) {
      await proceed(withRun(target));
    },

    async observe(target) {
      const seen = await findInstallation(target.cluster, target.signal);
      if (!seen && !(await isTillerThere(target))) return { state: 'absent' };
      return observeRun(withRun(target), seen);
    },

    async retry({ cluster, signal }) {
      const seen = await findInstallation(cluster, signal);
      if (seen && phaseOf(seen) === 'failed') await orderAgain({ cluster, signal }, seen);
    },

    async uninstall(target) {
      await removeKyma({ ...target, artifacts, log });
    },

    observeRemoval: (target) => removeKyma({ ...target, artifacts, log }),

    /** A name for the upgrade, by which its run is told from those before. */
    mark: async () => ({ run: randomUUID() }),

    /** Makes sure that there is all that it needs. The installer is told in `observeUpgrade`, which knows the mark. */
    async upgrade({ to, signal }) {
      const plan = readInstallerPlan(to);
      await releaseObjects({ plan, artifacts, signal });
      const stays = (name: string) =>
        `component ${name}: is not in Kyma ${plan.release} and stays as it is, because no upgrade of Kyma 1 removes components`;
      return (plan.leftBehind ?? []).map(stays);
    },

    async observeUpgrade({ cluster, to, mark, signal }) {
      const seen = await findInstallation(cluster, signal);
      return observeRun({ cluster, installation: to, run: runOf(mark, to), signal }, seen);
    },
  };

  /** Components of early releases are installed by Tiller, which comes before everything else. */
  async function isTillerThere({ cluster, installation, signal }: Omit<Target, 'run'>): Promise<boolean> {
    const plan = readInstallerPlan(installation);
    if (!plan.tiller) return false;
    const { tiller } = await releaseObjects({ plan, artifacts, signal });
    const deployment = tiller.find(({ kind }) => kind === 'Deployment');
    const { name = '', namespace = 'default' } = deployment?.metadata ?? {};
    return workloadTrouble(await findDeployment(cluster, { name, namespace }, signal)) !== 'it is missing';
  }
}

/** The same order again, with the status of before taken away. */
async function orderAgain(
  { cluster, signal }: Pick<Target, 'cluster' | 'signal'>,
  seen: SeenInstallation,
): Promise<void> {
  const { annotations, status } = freshRun(seen);
  const metadata = { annotations, labels: { action: 'install' } };
  await patchInstallation({ cluster, seen, change: { metadata, status }, signal });
}

function withRun(target: Omit<Target, 'run'>): Target {
  return { ...target, run: installationDigest(target.installation) };
}

function runOf(mark: UpgradeMark, to: KymaInstallation): string {
  const parsed = upgradeMark.safeParse(mark);
  return parsed.success ? parsed.data.run : installationDigest(to);
}

function working(target: Target, words: string, progress: number): InstallationObservation {
  return { state: 'working', message: `Installing ${nameOf(target)}: ${words}`, progress };
}

function describeInstalled(target: Target): string {
  const { components, leftBehind = [] } = readInstallerPlan(target.installation);
  const names = components.map(({ name }) => name).join(', ');
  const left = leftBehind.length > 0 ? `; left as it was: ${leftBehind.join(', ')}` : '';
  return `${nameOf(target)} is installed: ${names}${left}`;
}

function nameOf({ installation }: Pick<Target, 'installation'>): string {
  return `Kyma ${readInstallerPlan(installation).release}`;
}
