import type { Leftovers } from '../domain/flow.ts';
import type { StageRun } from './tools.ts';
import { whatIsLeft } from './what-is-left.ts';

/** What exists of a Runtime whose change was cancelled, and what may go on changing by itself. */
export async function whatIsChanged(run: StageRun, progress: { readonly mayHaveActed: boolean }): Promise<Leftovers> {
  const { operation, runtime, target } = run;
  const left = await whatIsLeft(run, progress);
  if (!progress.mayHaveActed) return left;
  const line = `cluster ${runtime.cluster.name} (${runtime.cluster.driver}): `;
  const words =
    operation.stage === 'CreatingBindingsForOperators'
      ? 'some of its administrators may have changed'
      : `goes on to change, if it was told to: ${target?.clusterFields?.join(', ')}`;
  return { ...left, residue: [...left.residue, line + words] };
}
