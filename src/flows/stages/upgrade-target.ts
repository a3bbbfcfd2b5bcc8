import { clusterOrder } from '../../clusters/cluster-order.ts';
import type { KymaInstaller, UpgradeTarget } from '../../kyma/kyma-installer.ts';
import type { StageRun } from '../tools.ts';

/** The installer of what is to be there, and the cluster it works on. */
export async function upgradeTarget({
  operation,
  runtime,
  target,
  access,
  installers,
  signal,
}: StageRun): Promise<{ installer: KymaInstaller; target: UpgradeTarget }> {
  const [from, to] = [runtime.kyma, target?.kyma];
  if (from === undefined || to === undefined) throw new Error(`operation ${operation.id} has no Kyma to upgrade`);
  const cluster = await access.client(clusterOrder(runtime), signal);
  return { installer: installers[to.installer], target: { cluster, from, to, signal } };
}
