import { setTimeout as pause } from 'node:timers/promises';
import type { Control } from '../../landscape/control/control.ts';
import type { OperationKind } from '../../src/domain/operation.ts';
import type { Caller, Order } from './caller.ts';
import { documents, gardenerOrder, gkeOrder } from './documents.ts';
import type { LifePlan, PlannedStep } from './life-plan.ts';

interface LifeOptions {
  readonly plan: LifePlan;
  readonly caller: Caller;
  readonly control: Control;
  /** False once enough has been done: a Runtime is then left as it is. */
  readonly mayGoOn: () => boolean;
  readonly signal: AbortSignal;
}

/** What was begun, and whether it has succeeded; undefined when it was refused. */
type Result = boolean | undefined;

/** Carries a plan out as a patient caller would. What goes wrong is in the caller's journal. */
export async function live({ plan, caller, control, mayGoOn, signal }: LifeOptions): Promise<void> {
  const { name, driver, withKyma, beginning, steps, end } = plan;
  const order = (driver === 'gke' ? gkeOrder : gardenerOrder)({ name, withKyma });
  if (beginning === 'fails') setFate();
  const provision = { document: documents.provision, variables: { config: order } };
  const mayFail = beginning === 'fails';
  const first = await caller.order(provision, { kind: 'Provision', mayFail });
  if (first.kind === 'refused' || first.runtimeId === undefined) return;
  const id = first.runtimeId;
  let made = await finish('Provision', first.operationId, beginning === 'plain' || mayFail ? undefined : beginning);
  if (beginning === 'fails') {
    liftFate();
    if (made === false) made = await retry('Provision', first.operationId);
  }
  let sizes = 5;
  for (const step of steps) {
    if (!mayGoOn() || made !== true) break;
    made = await carryOut(step);
  }
  if (end === 'stay' || !mayGoOn()) return;
  if (end === 'in-the-middle' && made === true) {
    const [kind, change] = changeOf(driver === 'gke' ? 'upgrade' : 'upgradeShoot');
    await caller.order(change, { kind });
    const cancelling = { document: documents.cancelAndDeprovision, variables: { id } };
    const last = await caller.order(cancelling, { kind: 'Deprovision' });
    if (last.kind === 'accepted') await caller.ended(last.operationId);
    return;
  }
  await begin('Deprovision', { document: documents.deprovision, variables: { id } });

  function setFate(): void {
    if (driver === 'gke') control.setGkeFate(name, { kind: 'failed' });
    else control.setShootFate(name, { kind: 'failed', during: 'Create' });
  }

  function liftFate(): void {
    if (driver === 'gke') control.liftGkeFate(name);
    else control.liftShootFate(name);
  }

  async function carryOut({ what, cancelAfter }: PlannedStep): Promise<Result> {
    const cancelled = cancelAfter === undefined ? undefined : { cancelAfter };
    if (what !== 'sleep') return begin(...changeOf(what), cancelled);
    const asleep = await begin('Hibernate', { document: documents.hibernate, variables: { id } }, cancelled);
    if (asleep === undefined) return undefined;
    return begin('WakeUp', { document: documents.wakeUp, variables: { id } });
  }

  function changeOf(what: Exclude<PlannedStep['what'], 'sleep'>): [OperationKind, Order] {
    switch (what) {
      case 'upgrade': {
        const clusterConfig = { kubernetesVersion: driver === 'gke' ? '1.35' : '1.35.1' };
        const config = { clusterConfig, ...(withKyma && { kymaConfig: { version: '1.2.0' } }) };
        return ['Upgrade', { document: documents.upgrade, variables: { id, config } }];
      }
      case 'upgradeShoot': {
        sizes += 1;
        const config = { gardenerConfig: { autoScalerMax: sizes }, administrators: [`admin-${sizes}@example.com`] };
        return ['UpgradeShoot', { document: documents.upgradeShoot, variables: { id, config } }];
      }
      case 'reconnect':
        return ['ReconnectRuntime', { document: documents.reconnect, variables: { id } }];
    }
  }

  async function begin(kind: OperationKind, change: Order, cancelled?: { cancelAfter: number }): Promise<Result> {
    const answer = await caller.order(change, { kind });
    return answer.kind === 'refused' ? undefined : finish(kind, answer.operationId, cancelled);
  }

  /** One that was cancelled in time is retried. */
  async function finish(
    kind: OperationKind,
    operationId: string,
    cancelled?: { cancelAfter: number },
  ): Promise<Result> {
    if (cancelled) {
      await pause(cancelled.cancelAfter, undefined, { signal });
      await caller.order({ document: documents.cancel, variables: { id: operationId } });
    }
    const succeeded = (await caller.ended(operationId))?.state === 'Succeeded';
    return succeeded || !cancelled ? succeeded : retry(kind, operationId);
  }

  async function retry(kind: OperationKind, operationId: string): Promise<Result> {
    const answer = await caller.order({ document: documents.retry, variables: { id: operationId } }, { kind });
    return answer.kind === 'refused' ? undefined : (await caller.ended(answer.operationId))?.state === 'Succeeded';
  }
}
