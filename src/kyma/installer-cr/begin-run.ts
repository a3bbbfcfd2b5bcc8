import type { KymaInstallation } from '../../domain/kyma-config.ts';
import type { KubernetesClient, KubernetesObject } from '../../kubernetes/kubernetes-client.ts';
import type { Artifacts } from '../artifacts.ts';
import { inPhases } from '../modules/apply-phases.ts';
import { ClusterObjects } from '../modules/cluster-objects.ts';
import { inParallel, requestsAtOnce } from '../modules/in-parallel.ts';
import {
  findInstallation,
  freshRun,
  installationReference,
  patchInstallation,
  runAnnotation,
  type SeenInstallation,
} from './installation-resource.ts';
import { type InstallerPlan, readInstallerPlan } from './installer-plan.ts';
import { phaseOf, workOf } from './judge-installation.ts';
import { applyOverrides } from './overrides.ts';
import { installerDeployment, type ReleaseObjects, releaseObjects } from './release-objects.ts';
import { findDeployment, stopInstaller, workloadTrouble } from './workloads.ts';

interface InstallerRun {
  readonly cluster: KubernetesClient;
  readonly installation: KymaInstallation;
  /** Names this installation or upgrade: the Installation that carries it was written for it. */
  readonly run: string;
  readonly artifacts: Artifacts;
  readonly signal: AbortSignal;
}

/**
 * Goes as far as it can towards a running installer, and may be repeated at any time. Answers what it waits for;
 * undefined once the installer has been told. An installer of before is stopped first, and the new one is started last:
 * nobody is there to act on an order that is half written.
 */
export async function beginRun(options: InstallerRun): Promise<string | undefined> {
  const { cluster, installation, run, artifacts, signal } = options;
  const plan = readInstallerPlan(installation);
  const release = await releaseObjects({ plan, artifacts, signal });
  const objects = clusterObjects(cluster, release, signal);
  const tiller = await tillerTrouble({ cluster, objects, release, signal });
  if (tiller !== undefined) return tiller;
  const seen = await findInstallation(cluster, signal);
  if (seen?.run !== run) {
    const obstacle = await freeInstaller(cluster, seen, signal);
    if (obstacle !== undefined) return obstacle;
    await applyAll(objects, release.foundation);
    await applyOverrides({ cluster, plan, config: installation.config, signal });
    await order({ cluster, objects, installation, run, release, seen, signal });
  }
  await applyAll(objects, [...(seen?.run === run ? release.foundation : []), release.deployment]);
  return undefined;
}

/** Starts the installer again where somebody, or a crash, took it away. Answers why it does not work. */
export async function keepInstallerRunning(options: Omit<InstallerRun, 'run'>): Promise<string | undefined> {
  const { cluster, installation, artifacts, signal } = options;
  const deployment = await findDeployment(cluster, installerDeployment, signal);
  if (!deployment) {
    const release = await releaseObjects({ plan: readInstallerPlan(installation), artifacts, signal });
    await applyAll(clusterObjects(cluster, release, signal), [...release.foundation, release.deployment]);
  }
  return workloadTrouble(deployment);
}

function clusterObjects(cluster: KubernetesClient, release: ReleaseObjects, signal: AbortSignal): ClusterObjects {
  return new ClusterObjects({ cluster, manifests: release.foundation, signal });
}

async function applyAll(objects: ClusterObjects, manifest: readonly KubernetesObject[]): Promise<void> {
  for (const phase of inPhases(manifest)) {
    await inParallel(phase.objects, requestsAtOnce(phase.objects.length), (object) =>
      objects.apply(object, { namespace: 'default', force: true }),
    );
  }
}

/** Why Tiller, which installs the components of early releases, is not ready; undefined when it is, or is not needed. */
async function tillerTrouble({
  cluster,
  objects,
  release: { tiller },
  signal,
}: {
  readonly cluster: KubernetesClient;
  readonly objects: ClusterObjects;
  readonly release: ReleaseObjects;
  readonly signal: AbortSignal;
}): Promise<string | undefined> {
  await applyAll(objects, tiller);
  for (const { kind, metadata } of tiller) {
    const { name, namespace } = metadata;
    if (kind !== 'Deployment' || name === undefined || namespace === undefined) continue;
    const trouble = workloadTrouble(await findDeployment(cluster, { name, namespace }, signal));
    if (trouble !== undefined) return `Waiting for Tiller: ${trouble}`;
  }
  return undefined;
}

/** Undefined when no installer is left in the cluster. One that works is let finish: it would leave Helm half done. */
async function freeInstaller(
  cluster: KubernetesClient,
  seen: SeenInstallation | undefined,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (seen?.deleting) return 'Waiting until the Installation of before is gone';
  const works = seen && ['running', 'unsettled'].includes(phaseOf(seen));
  if (works && (await findDeployment(cluster, installerDeployment, signal))) {
    return `Waiting until the installer has finished what it does: ${workOf(seen)}`;
  }
  return (await stopInstaller(cluster, signal)) ? undefined : 'Waiting until the installer of before has stopped';
}

/** In one request, so that there is no order without its components, its run or an old status. */
async function order({
  cluster,
  objects,
  installation: { config, ...installation },
  run,
  release,
  seen,
  signal,
}: {
  readonly cluster: KubernetesClient;
  readonly objects: ClusterObjects;
  readonly installation: KymaInstallation;
  readonly run: string;
  readonly release: ReleaseObjects;
  readonly seen: SeenInstallation | undefined;
  readonly signal: AbortSignal;
}): Promise<void> {
  const components = componentsOf(readInstallerPlan({ config, ...installation }));
  const profile = config.profile?.toLowerCase();
  const labels = { action: 'install' };
  if (seen) {
    const { annotations, status } = freshRun(seen);
    const metadata = { labels, annotations: { ...annotations, [runAnnotation]: run } };
    const change = { metadata, spec: { components, profile: profile ?? null }, status };
    return patchInstallation({ cluster, seen, change, signal });
  }
  const { metadata, spec, ...base } = release.installation;
  const { name, namespace } = installationReference;
  const object: KubernetesObject = {
    ...base,
    metadata: {
      ...metadata,
      ...{ name, namespace },
      labels: { ...metadata.labels, ...labels },
      annotations: { ...metadata.annotations, [runAnnotation]: run },
    },
    spec: { ...(spec as object), components, ...(profile !== undefined && { profile }) },
  };
  await objects.apply(object, { namespace, force: true });
}

function componentsOf({ components }: InstallerPlan): readonly object[] {
  return components.map(({ name, namespace, sourceURL }) => ({
    ...{ name, namespace },
    ...(sourceURL !== undefined && { source: { url: sourceURL } }),
  }));
}
