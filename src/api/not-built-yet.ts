import { findRuntime } from '../db/queries/find-runtime.ts';
import { Failure } from '../domain/failures.ts';
import { parseRuntimeId } from '../domain/ids.ts';
import type { RequestContext } from './context.ts';
import type { ApiDependencies } from './dependencies.ts';
import { runtimeNotFound } from './runtime-status.ts';

/** Mutations of the contract whose work nothing carries out yet. A line goes when its flow comes. */
const refusals = {
  upgradeRuntime: 'upgrading a Runtime is not supported yet',
  upgradeShoot: 'changing the configuration of a cluster is not supported yet',
  rollBackUpgradeOperation: 'there is no upgrade to roll back: upgrading a Runtime is not supported yet',
  hibernateRuntime: 'hibernating a Runtime is not supported yet',
  wakeUpRuntime: 'waking up a Runtime is not supported yet',
  reconnectRuntimeAgent: 'reconnecting the Runtime Agent is not supported yet',
} as const;

/** Refuses with NOT_SUPPORTED, and before that whoever may not do it in any case. */
export async function refuseNotBuiltYet({
  dependencies: { database },
  context,
  id,
  mutation,
}: {
  dependencies: ApiDependencies;
  context: RequestContext;
  id: string;
  mutation: keyof typeof refusals;
}): Promise<never> {
  const { tenant } = context.caller();
  const runtimeId = parseRuntimeId(id);
  const found = await findRuntime({ database, tenant, runtimeId });
  if (!found || found.runtime.deletedAt) throw runtimeNotFound(runtimeId);
  throw new Failure('NOT_SUPPORTED', `${refusals[mutation]}; nothing was changed`);
}
