import type { KymaInstaller, RemovalTarget } from '../../kyma/kyma-installer.ts';
import type { StageRun } from '../tools.ts';
import { installationTarget } from './installation-target.ts';

/** The Runtime's own installer, and all of Kyma that its cluster may have. */
export async function removalTarget(run: StageRun): Promise<{ installer: KymaInstaller; target: RemovalTarget }> {
  const { installer, target } = await installationTarget(run);
  const attempted = await run.attemptedKyma(run.runtime.id);
  const isOfInstaller = attempted?.installer === installer.kind;
  return { installer, target: { ...target, ...(isOfInstaller && { attempted }) } };
}
