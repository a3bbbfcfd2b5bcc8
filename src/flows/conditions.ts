import type { Condition } from '../domain/flow.ts';

export const noKyma: Condition = {
  reads: 'no Kyma is asked for',
  holds: (runtime) => runtime.kyma === undefined,
};

export const noAdministrators: Condition = {
  reads: 'no administrators are given',
  holds: (runtime) => runtime.administrators.length === 0,
};

/** The agent comes with Kyma, and connects to a Director that knows the Runtime. */
export const notConnectable: Condition = {
  reads: 'the Runtime is not registered in a Director, or has no Kyma to bring the agent',
  holds: (runtime) => runtime.registration === 'none' || runtime.kyma === undefined,
};
