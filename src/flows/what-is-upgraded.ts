import type { Leftovers } from '../domain/flow.ts';
import type { StageRun } from './tools.ts';
import { whatIsLeft } from './what-is-left.ts';

const clusterStages: readonly string[] = ['UpgradingCluster', 'WaitingForClusterUpgrade'];

/** What exists of a Runtime whose upgrade was cancelled, and which part of the upgrade may have happened to it. */
export async function whatIsUpgraded(run: StageRun, progress: { readonly mayHaveActed: boolean }): Promise<Leftovers> {
  const { operation, target } = run;
  const left = await whatIsLeft(run, progress);
  if (!progress.mayHaveActed) return left;
  const begun = clusterStages.includes(operation.stage)
    ? `the cluster may go on to change, if it was told to: ${target?.clusterFields?.join(', ')}`
    : `Kyma: may be partly upgraded to ${target?.kyma?.config.version}`;
  return { ...left, residue: [...left.residue, begun] };
}
