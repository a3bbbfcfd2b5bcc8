import { isDeepStrictEqual } from 'node:util';
import type { GardenerConfig } from '../../../domain/gardener-config.ts';
import { checkGardenerConfig } from '../checks/check-gardener-config.ts';
import type { Mistake } from '../checks/mistake.ts';
import type { GardenerChange, GardenerOrder } from '../gardener-order.ts';
import { workerPool, workerPoolName } from '../shoot/worker-pool.ts';
import { type ChangeSubject, unchangeable } from './field-rule.ts';
import { fieldRules, rulesOf } from './field-rules.ts';

/** The order with the configuration that it is to have. */
export function orderAfter({ order, target }: GardenerChange): GardenerOrder {
  return { ...order, cluster: { ...order.cluster, config: target } };
}

/** All mistakes in a change that can be found without asking Gardener what it says to it. */
export function checkShootChange(change: GardenerChange, subject: ChangeSubject, project: string): readonly Mistake[] {
  const unchanged = changesOfFixedFields(change, subject);
  const byRule = rulesOf(subject.after.provider).flatMap(({ mistakes }) => [...(mistakes?.(subject) ?? [])]);
  // What was wrong with the configuration before is not the fault of this change.
  const known = checkGardenerConfig(change.order, project);
  const inWhole = checkGardenerConfig(orderAfter(change), project).filter(
    (found) => !known.some((one) => isDeepStrictEqual(one, found)),
  );
  return [...unchanged, ...byRule, ...inWhole, ...missingPool(change, subject)];
}

function* changesOfFixedFields({ fields }: GardenerChange, { before, after }: ChangeSubject): Generator<Mistake> {
  for (const [field, rule] of Object.entries(fieldRules)) {
    if (typeof rule === 'string' || !('fixed' in rule) || !fields.includes(field)) continue;
    const [from, to] = [before, after].map((config) => config[field as keyof GardenerConfig]);
    if (!isDeepStrictEqual(from, to)) yield unchangeable(field, from, to, rule.fixed);
  }
}

// biome-ignore format: a list
const ofThePool: readonly (keyof GardenerConfig)[] = [
  'machineType', 'machineImage', 'machineImageVersion', 'diskType', 'volumeSizeGB',
  'autoScalerMin', 'autoScalerMax', 'maxSurge', 'maxUnavailable',
];

function* missingPool({ fields }: GardenerChange, { live }: ChangeSubject): Generator<Mistake> {
  if (!live || workerPool(live)) return;
  for (const path of ofThePool.filter((field) => fields.includes(field))) {
    yield {
      path,
      message: `${path} is that of the worker pool ${workerPoolName}, which the cluster does not have any more`,
    };
  }
}
