import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '../../src/domain/failures.ts';
import type { Step } from '../../src/domain/flow.ts';
import { newOperationId, newRuntimeId } from '../../src/domain/ids.ts';
import type { Operation } from '../../src/domain/operation.ts';
import { fail } from '../../src/domain/outcome.ts';
import type { Runtime } from '../../src/domain/runtime.ts';
import { defaultTiming } from '../../src/engine/timing.ts';
import { type Answer, type Standing, transitionFor } from '../../src/engine/transition.ts';

const step: Step<object> = {
  stage: 'CreatingCluster',
  through: 'cluster driver',
  deadline: 'clusterCreation',
  run: async () => fail(new Failure('CLUSTER_REJECTED', 'no')),
  cutOff: () => ({ creationCutOff: true }) as const,
};
const refused: Answer = { kind: 'outcome', outcome: fail(new Failure('CLUSTER_REJECTED', 'no')) };
const timedOut: Answer = { kind: 'timed-out', limit: 1_000, lastWords: undefined };

/** What is stored of the Runtime with the failure. */
function storedWith(answer: Answer, { failures = 0, attempt = 1 } = {}) {
  const operation: Operation = {
    ...{ id: newOperationId(), runtimeId: newRuntimeId(), kind: 'Provision', state: 'InProgress', attempt },
    ...{ stage: step.stage, stageStartedAt: new Date(), message: '', progress: undefined, notes: {} },
    ...{ lastError: undefined, startedAt: new Date(), endedAt: undefined },
  };
  const standing: Standing = {
    ...{ operation, failures, looks: 0, wakeKey: undefined, declaredKey: false, stageMillis: 0, target: undefined },
    runtime: {} as Runtime,
  };
  const { change } = transitionFor(answer, {
    ...{ step, standing, deadline: 1_000, timing: defaultTiming, random: 0 },
    flow: { kind: 'Provision', startMessage: '', steps: [step] },
  });
  assert.equal(change?.state, 'Failed');
  return change.runtime;
}

test('a stage that fails while a request of it may be under way says so', () => {
  assert.deepEqual(storedWith(timedOut), { creationCutOff: true });
  assert.deepEqual(storedWith(refused, { failures: 1 }), { creationCutOff: true }, 'an earlier try threw');
  assert.deepEqual(storedWith(refused, { attempt: 2 }), { creationCutOff: true }, 'an earlier try died');
});

test('a refusal at the first try is the answer to all that was sent', () => {
  assert.equal(storedWith(refused), undefined);
});
