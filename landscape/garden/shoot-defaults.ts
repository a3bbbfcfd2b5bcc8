import type { KubeObject } from '../kubernetes/resource-type.ts';
import type { CloudProfileSpec, ExpirableVersion } from './cloud-profiles.ts';
import type { GardenAge } from './garden-age.ts';
import { atLeast, compareVersions, isExpired } from './versions.ts';

/** Fills in what Gardener fills in when a Shoot is created or updated. Changes the Shoot. */
export function defaultShoot(
  shoot: KubeObject,
  old: KubeObject | undefined,
  profile: CloudProfileSpec | undefined,
  age: GardenAge = 'today',
): void {
  const spec = shoot.spec;
  spec.kubernetes ??= {};
  spec.purpose ??= 'evaluation';
  spec.schedulerName ??= 'default-scheduler';
  defaultKubernetes(spec, profile);
  if (age === 'today') syncCloudProfile(spec, old?.spec);
  defaultMaintenance(spec);
  spec.networking ??= {};
  spec.networking.ipFamilies ??= ['IPv4'];
  spec.systemComponents ??= { coreDNS: { autoscaling: { mode: 'horizontal' } } };
  for (const worker of spec.provider?.workers ?? []) defaultWorker(worker, profile);
  if (spec.provider?.workers?.length > 0) {
    spec.provider.workersSettings ??= {};
    spec.provider.workersSettings.sshAccess ??= { enabled: true };
  }
}

/**
 * The older field and the newer one say the same below Kubernetes 1.34, and below 1.33 both are there. With 1.34 the older
 * one goes, when nobody has changed it.
 */
function syncCloudProfile(spec: KubeObject['spec'], old: KubeObject['spec'] | undefined): void {
  const { version } = spec.kubernetes;
  const isLater = atLeast(version ?? '', '1.34');
  if (!isLater && spec.cloudProfileName) spec.cloudProfile ??= { kind: 'CloudProfile', name: spec.cloudProfileName };
  if (!spec.cloudProfile) return;
  spec.cloudProfile.kind ??= 'CloudProfile';
  const { kind, name } = spec.cloudProfile;
  if (isLater) {
    const isUnchanged = spec.cloudProfileName === old?.cloudProfileName && spec.cloudProfileName === name;
    if (kind === 'CloudProfile' && isUnchanged) delete spec.cloudProfileName;
  } else if (kind !== 'CloudProfile') delete spec.cloudProfileName;
  else if (spec.cloudProfileName || !atLeast(version ?? '', '1.33')) spec.cloudProfileName = name;
}

function defaultKubernetes(spec: KubeObject['spec'], profile: CloudProfileSpec | undefined): void {
  const { kubernetes } = spec;
  kubernetes.version = resolveVersion(kubernetes.version, profile?.kubernetes.versions ?? []) ?? kubernetes.version;
  kubernetes.kubeAPIServer ??= {};
  kubernetes.kubeAPIServer.requests ??= { maxMutatingInflight: 200, maxNonMutatingInflight: 400 };
  kubernetes.kubeAPIServer.eventTTL ??= '1h';
  kubernetes.kubeControllerManager ??= { nodeCIDRMaskSize: 24, nodeMonitorGracePeriod: '40s' };
  kubernetes.kubeProxy ??= { enabled: true, mode: 'IPTables' };
  kubernetes.kubeScheduler ??= { profile: 'balanced' };
  kubernetes.kubelet ??= { failSwapOn: true, imageGCHighThresholdPercent: 50, imageGCLowThresholdPercent: 40 };
  kubernetes.verticalPodAutoscaler ??= { enabled: true };
}

function defaultMaintenance(spec: KubeObject['spec']): void {
  spec.maintenance ??= {};
  spec.maintenance.autoUpdate ??= {};
  spec.maintenance.autoUpdate.kubernetesVersion ??= true;
  if (spec.provider?.workers?.length > 0) spec.maintenance.autoUpdate.machineImageVersion ??= true;
  // Gardener draws the hour; the landscape is the same every time.
  spec.maintenance.timeWindow ??= { begin: '220000+0000', end: '230000+0000' };
}

function defaultWorker(worker: KubeObject['spec'], profile: CloudProfileSpec | undefined): void {
  worker.maxSurge ??= 1;
  worker.maxUnavailable ??= 0;
  worker.cri ??= { name: 'containerd' };
  worker.systemComponents ??= { allow: true };
  worker.updateStrategy ??= 'AutoRollingUpdate';
  if (!worker.machine) return;
  worker.machine.architecture ??= 'amd64';
  const images = profile?.machineImages ?? [];
  const image = images.find(({ name }) => name === (worker.machine.image?.name ?? images[0]?.name));
  if (!image) return;
  const offered = image.versions.filter(({ architectures }) => architectures.includes(worker.machine.architecture));
  worker.machine.image ??= {};
  worker.machine.image.name ??= image.name;
  const given = worker.machine.image.version;
  worker.machine.image.version = resolveVersion(given, offered) ?? given;
}

/** `1.34` or nothing becomes the latest supported patch; a full version stays as it is. Undefined: none fits. */
export function resolveVersion(given: string | undefined, offered: readonly ExpirableVersion[]): string | undefined {
  if (given !== undefined && given.split('.').length >= 3) return given;
  const prefix = given === undefined || given === '' ? '' : `${given}.`;
  const candidates = offered.filter(
    (one) => one.version.startsWith(prefix) && !isExpired(one) && one.classification !== 'preview',
  );
  const supported = candidates.filter(({ classification }) => classification === 'supported');
  const [latest] = (supported.length > 0 ? supported : candidates).toSorted((a, b) =>
    compareVersions(b.version, a.version),
  );
  return latest?.version;
}
