import type { GardenerCluster } from '../../domain/runtime.ts';
import type { CheckedChange, ClusterChange, ClusterDriver, ClusterOrder } from '../cluster-driver.ts';

/** The contract's shapes, for clusters of this driver. */
export type GardenerOrder = ClusterOrder<GardenerCluster>;
export type GardenerChange = ClusterChange<GardenerCluster>;
export type CheckedGardenerChange = CheckedChange<GardenerCluster>;
export type GardenerDriver = ClusterDriver<GardenerCluster>;
