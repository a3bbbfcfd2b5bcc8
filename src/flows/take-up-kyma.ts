import { clusterOrder } from '../clusters/cluster-order.ts';
import type { StageRun } from './tools.ts';

/** The only stage that learns of an installation that failed for good. */
const waiting = 'WaitingForInstallation';

/** An installer that gave up goes on; one that tries again by itself is left alone. */
export async function retryKyma({ operation, runtime, target, access, installers, signal }: StageRun): Promise<void> {
  const installation = target?.kyma ?? runtime.kyma;
  if (operation.stage !== waiting || installation === undefined) return;
  const cluster = await access.client(clusterOrder(runtime), signal);
  await installers[installation.installer].retry({ cluster, installation, signal });
}
