import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acceptOperation } from '../../src/db/queries/accept-operation.ts';
import { Failure } from '../../src/domain/failures.ts';
import type { Flow } from '../../src/domain/flow.ts';
import { newOperationId } from '../../src/domain/ids.ts';
import type { Operation } from '../../src/domain/operation.ts';
import { done, fail, type Outcome, wait } from '../../src/domain/outcome.ts';
import { flows } from '../../src/flows/flows.ts';
import {
  cancel,
  ended,
  history,
  migratedDatabase,
  newRuntime,
  provision,
  retry,
  startEngine,
  tenant,
} from '../engine/support/engine-fixture.ts';
import type { NoTools } from '../engine/support/flows.ts';
import { eventually } from '../harness/eventually.ts';

/** How a stage ends the operation, which is then taken up again. */
const endings = ['fail', 'throw, then fail', 'wait for the cancellation', 'throw until the cancellation'] as const;
type Ending = (typeof endings)[number];

/** What becomes of the stages of one Runtime's operation; whatever is not named is done at once. */
class Script {
  /** Stages in the order in which they were done. */
  readonly finished: string[] = [];
  readonly held = new Set<string>();
  readonly #endings: Map<string, Ending[]>;
  #threw = false;

  constructor(endings: ReadonlyMap<string, readonly Ending[]>) {
    this.#endings = new Map([...endings].map(([stage, each]) => [stage, [...each]]));
  }

  /** The ending is over, and the next look at the stage finds the next one. */
  takeUp(stage: string): void {
    this.#endings.get(stage)?.shift();
    this.held.delete(stage);
    this.#threw = false;
  }

  isToBeCancelled(stage: string): boolean {
    return this.#endings.get(stage)?.[0]?.includes('cancellation') === true;
  }

  look(stage: string): Outcome {
    const ending = this.#endings.get(stage)?.[0];
    if (ending === undefined) {
      this.finished.push(stage);
      return done();
    }
    this.held.add(stage);
    if (ending === 'throw until the cancellation' || (ending === 'throw, then fail' && !this.#threw)) {
      this.#threw = true;
      throw new Error('not yet');
    }
    if (ending === 'wait for the cancellation') return wait({ message: 'waiting', lookAgain: { from: 5, upTo: 5 } });
    return fail(new Failure('CLUSTER_LOST', 'it went wrong'));
  }
}

test('in every flow, whichever stage ends it in whatever way, retries go on there and finish each stage once', async (t) => {
  const { database } = await migratedDatabase();
  const scripts = new Map<string, Script>();
  const scripted = flows.map(
    (flow): Flow<NoTools> => ({
      ...{ kind: flow.kind, startMessage: flow.startMessage },
      steps: flow.steps.map(({ stage, deadline, through }) => ({
        ...{ stage, deadline, through },
        run: async ({ runtime, operation }) =>
          operation.kind === flow.kind ? (scripts.get(`${runtime.id} ${flow.kind}`)?.look(stage) ?? done()) : done(),
      })),
    }),
  );
  await startEngine({ database, flows: scripted, timing: { retry: { from: 1, upTo: 5 } } });
  const byKind = new Map(scripted.map((flow) => [flow.kind, flow]));
  const provisionFlow = byKind.get('Provision') ?? assert.fail();

  async function begin(flow: Flow<NoTools>, script: Script): Promise<Operation> {
    const runtime = newRuntime();
    scripts.set(`${runtime.id} ${flow.kind}`, script);
    const provisioning = await provision(database, provisionFlow, runtime);
    if (flow.kind === 'Provision') return provisioning;
    await ended(database, provisioning);
    const firstStage = flow.steps[0]?.stage ?? '';
    const order = { database, tenant, runtimeId: runtime.id, operationId: newOperationId(), kind: flow.kind };
    return acceptOperation({ ...order, kind: flow.kind, startMessage: flow.startMessage, firstStage });
  }

  async function carryThrough(flow: Flow<NoTools>, ending: Ending, stage: string): Promise<void> {
    // A second one in the same stage, and one at the end, so that retries are retried.
    const stages = flow.steps.map((step) => step.stage);
    const atTheEnd = stages.at(-1) ?? assert.fail();
    const script = new Script(
      new Map([
        [atTheEnd, ['fail'] as Ending[]],
        [stage, [ending, 'throw, then fail']],
      ]),
    );
    let operation = await begin(flow, script);
    for (;;) {
      const { id } = operation;
      const isHeld = async () => {
        const held = stages.find((each) => script.held.has(each) && script.isToBeCancelled(each));
        if (held !== undefined) return held;
        const types = (await history(database, id)).map(({ type }) => type);
        return types.find((type) => type === 'Failed' || type === 'Succeeded');
      };
      if (stages.includes(await eventually('the operation to end or to be held', isHeld))) {
        await cancel(database, operation);
      }
      const asEnded = await ended(database, operation);
      if (asEnded.state === 'Succeeded') break;
      assert.deepEqual(script.finished, stages.slice(0, stages.indexOf(asEnded.stage)));
      script.takeUp(asEnded.stage);
      operation = await retry(database, operation);
      assert.deepEqual([operation.kind, operation.stage, operation.retryOf], [flow.kind, asEnded.stage, id]);
    }
    assert.deepEqual(script.finished, stages, `each stage of ${flow.kind} was finished once, in order`);
  }

  for (const flow of scripted) {
    await t.test(flow.kind, async () => {
      const cases = flow.steps.flatMap(({ stage }) => endings.map((ending) => [ending, stage] as const));
      await Promise.all(cases.map(([ending, stage]) => carryThrough(flow, ending, stage)));
    });
  }
});
