import { clusterOrder } from '../../clusters/cluster-order.ts';
import type { InstallationTarget, KymaInstaller } from '../../kyma/kyma-installer.ts';
import type { StageRun } from '../tools.ts';

/** The Runtime's own installer and the cluster it works on. Stages that need Kyma are skipped where there is none. */
export async function installationTarget({
  runtime,
  access,
  installers,
  signal,
}: StageRun): Promise<{ installer: KymaInstaller; target: InstallationTarget }> {
  const installation = runtime.kyma;
  if (installation === undefined) throw new Error(`Runtime ${runtime.id} has no Kyma to install`);
  const cluster = await access.client(clusterOrder(runtime), signal);
  return { installer: installers[installation.installer], target: { cluster, installation, signal } };
}
