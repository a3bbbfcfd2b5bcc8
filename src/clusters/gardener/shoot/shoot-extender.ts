import type { OperationId } from '../../../domain/ids.ts';
import type { ClusterOrder } from '../../cluster-driver.ts';
import type { ProviderSupport } from '../providers/provider-support.ts';

export interface ShootSettings {
  readonly namespace: string;
  /** For callers who did not say; Gardener's own default would be true. */
  readonly autoUpdateKubernetesVersion: boolean;
  readonly autoUpdateMachineImageVersion: boolean;
  /** What the Garden has to offer for a Shoot's `extensions`; undefined when that is not known. */
  readonly extensionTypes?: ReadonlySet<string> | undefined;
}

export interface ShootRequest {
  readonly order: ClusterOrder;
  readonly settings: ShootSettings;
  /** Absent in a dry run, which belongs to no operation yet. */
  readonly operationId?: OperationId;
}

export interface ShootContext extends ShootRequest {
  readonly provider: ProviderSupport;
}

/** Contributes its part of a Shoot; no two contribute the same field. */
export type ShootExtender = (context: ShootContext) => object;
