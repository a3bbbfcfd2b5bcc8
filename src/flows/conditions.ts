import type { Condition } from '../domain/flow.ts';

export const noKyma: Condition = {
  reads: 'no Kyma is asked for',
  holds: (runtime) => runtime.kyma === undefined,
};

export const noAdministrators: Condition = {
  reads: 'no administrators are given',
  holds: (runtime) => runtime.administrators.length === 0,
};

export const straightFromGke: Condition = {
  reads: 'the cluster comes straight from GKE, which gives it an address but no domain',
  holds: (runtime) => runtime.cluster.driver === 'gke',
};

export const notStraightFromGke: Condition = {
  reads: 'the cluster does not come straight from GKE; Gardener removes load balancers and disks by itself',
  holds: (runtime) => runtime.cluster.driver !== 'gke',
};

/** The agent comes with Kyma, and connects to a Director that knows the Runtime. */
export const notConnectable: Condition = {
  reads: 'the Runtime is not registered in a Director, or has no Kyma to bring the agent',
  holds: (runtime) => runtime.registration === 'none' || runtime.kyma === undefined,
};

export const noAdministratorsChange: Condition = {
  reads: 'no change of the administrators is asked for',
  holds: (_, target) => target?.administrators === undefined,
};

export const noClusterChange: Condition = {
  reads: 'no change of the cluster is asked for',
  holds: (_, target) => target?.cluster === undefined,
};

export const noKymaChange: Condition = {
  reads: 'no change of Kyma is asked for',
  holds: (_, target) => target?.kyma === undefined,
};
