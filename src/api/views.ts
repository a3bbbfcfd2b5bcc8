import type { IssuedKubeconfig } from '../clusters/cluster-driver.ts';
import type { SealedRuntime } from '../db/runtime-row.ts';
import type { Operation } from '../domain/operation.ts';
import type { Orphan } from '../domain/orphan.ts';
import type { PlannedStep } from '../domain/plan.ts';
import type { Runtime } from '../domain/runtime.ts';
import type { KubeconfigWish } from './kubeconfigs.ts';

/** What the resolvers of OperationStatus are given. */
export interface OperationView {
  readonly operation: Operation;
  /** Looked up only when the field that needs it is selected. */
  registration(): Promise<Runtime['registration']>;
  /** Set for a dry run: the operation is none. */
  readonly plan?: readonly PlannedStep[];
}

/** What the resolvers of Orphan are given. */
export interface OrphanView {
  readonly orphan: Orphan;
  /** Set for a dry run. */
  readonly plan?: readonly PlannedStep[];
}

/** What the resolvers of RuntimeStatus and of its parts are given. */
export interface RuntimeView {
  readonly runtime: SealedRuntime;
  readonly lastOperation: Operation;
  /** Found once for each wish, however many fields show it. Undefined when there is no cluster to issue one. */
  kubeconfig(wish: KubeconfigWish): Promise<IssuedKubeconfig | undefined>;
}
