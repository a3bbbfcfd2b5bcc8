import { Failure } from '../../domain/failures.ts';
import type { Logger } from '../../domain/logger.ts';
import type { KubernetesObject } from '../../kubernetes/kubernetes-client.ts';
import type { Artifacts } from '../artifacts.ts';
import type { InstallationTarget, RemovalObservation } from '../kyma-installer.ts';
import { inPhases } from '../modules/apply-phases.ts';
import { ClusterObjects } from '../modules/cluster-objects.ts';
import { inParallel, requestsAtOnce } from '../modules/in-parallel.ts';
import { keepInstallerRunning } from './begin-run.ts';
import {
  findInstallation,
  installationReference,
  patchInstallation,
  type SeenInstallation,
} from './installation-resource.ts';
import { readInstallerPlan } from './installer-plan.ts';
import { errorOf, phaseOf, progressOf, workOf } from './judge-installation.ts';
import { removeOverrides } from './overrides.ts';
import { releaseObjects } from './release-objects.ts';

/** Of the whole removal: the components are what takes time. */
const shareOfComponents = 0.8;

interface Removal extends InstallationTarget {
  readonly artifacts: Artifacts;
  readonly log: Logger;
}

/**
 * Takes the next step of a removal: the installer is told to uninstall once it does nothing else (what it is told while
 * it works is lost), told again when that failed, and removed itself when nothing is left of the components.
 */
export async function removeKyma(removal: Removal): Promise<RemovalObservation> {
  const { cluster, signal } = removal;
  const seen = await findInstallation(cluster, signal);
  if (!seen) return removeInstaller(removal);
  if (seen.deleting) return working('Waiting until the installer lets go of its Installation', 90);
  const phase = phaseOf(seen);
  switch (phase) {
    case 'prepared':
    case 'uninstalled':
      return removeInstaller(removal, seen);
    case 'queued':
      // Nothing has begun, and nothing was there before.
      if (seen.action === 'install' && seen.stateBefore === undefined) {
        await patchInstallation({ cluster, seen, change: { metadata: { labels: { action: null } } }, signal });
        return working('Taking back the installation of Kyma', 0);
      }
      break;
    case 'installed':
    case 'failed':
      await patchInstallation({ cluster, seen, change: { metadata: { labels: { action: 'uninstall' } } }, signal });
      break;
    case 'running':
    case 'retrying':
    case 'unsettled':
      break;
  }
  const trouble = await installerTrouble(removal);
  const words = [describe(seen, phase), ...(trouble === undefined ? [] : [`the installer does not run: ${trouble}`])];
  return working(words.join('; '), Math.floor(progressOf(seen) * shareOfComponents));
}

function describe(seen: SeenInstallation, phase: string): string {
  if (seen.action === 'install') return `Waiting until the installation of Kyma ends: ${workOf(seen)}`;
  if (phase === 'installed') return 'Uninstalling Kyma';
  const error = errorOf(seen);
  if (phase === 'failed') return `Uninstalling Kyma after ${error ?? 'a failure'}`;
  return `Uninstalling Kyma: ${workOf(seen)}${phase === 'retrying' && error ? ` failed and is tried again: ${error}` : ''}`;
}

/** A release that is not to be had any more keeps no cluster from being deprovisioned. */
async function installerTrouble(removal: Removal): Promise<string | undefined> {
  try {
    return await keepInstallerRunning(removal);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return error.message;
  }
}

/** The Installation first, as only the installer can let go of it; then what configured and made up the installer. */
async function removeInstaller(removal: Removal, seen?: SeenInstallation): Promise<RemovalObservation> {
  const { cluster, signal } = removal;
  const objects = await readIfThere(removal);
  const onCluster = new ClusterObjects({ cluster, manifests: objects, signal });
  const remove = (object: KubernetesObject) => onCluster.delete(object, { namespace: 'default' });
  if (seen) {
    await cluster.delete(installationReference, { signal });
    return working('Removing the installer of Kyma', 90);
  }
  let left = await removeOverrides({ cluster, keep: [], signal });
  for (const phase of inPhases(objects).toReversed()) {
    const existed = await inParallel(phase.objects, requestsAtOnce(phase.objects.length), remove);
    left += existed.filter(Boolean).length;
  }
  if (left === 0) return { state: 'removed' };
  return working(`Removing the installer of Kyma: ${left} objects left`, 95);
}

async function readIfThere({ installation, artifacts, signal, log }: Removal): Promise<readonly KubernetesObject[]> {
  const plan = readInstallerPlan(installation);
  try {
    const { tiller, foundation, deployment } = await releaseObjects({ plan, artifacts, signal });
    return [...tiller, ...foundation, deployment];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    log.warn({ err: error, url: plan.installer.url }, 'the installer of Kyma is left behind on the cluster');
    return [];
  }
}

function working(message: string, progress: number): RemovalObservation {
  return { state: 'working', message, progress };
}
