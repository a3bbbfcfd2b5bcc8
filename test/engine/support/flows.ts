import type { Flow, Step } from '../../../src/domain/flow.ts';

/** Flows of tests act through nothing but what they close over. */
export type NoTools = Record<never, never>;
export type TestStep = Pick<Step<NoTools>, 'stage' | 'run'> & Partial<Step<NoTools>>;

export function provisionFlow(steps: readonly TestStep[], more: Partial<Flow<NoTools>> = {}): Flow<NoTools> {
  return {
    kind: 'Provision',
    startMessage: 'Provisioning started',
    steps: steps.map((step) => ({ through: 'nothing', deadline: 'clusterCreation', ...step })),
    ...more,
  };
}
