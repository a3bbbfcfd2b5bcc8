import { rollBackUpgrade } from '../db/queries/roll-back-upgrade.ts';
import { parseRuntimeId, type RuntimeId } from '../domain/ids.ts';
import type { RequestContext } from './context.ts';
import type { ApiDependencies } from './dependencies.ts';

/** Takes back the configuration of the Runtime's last upgrade. Nobody touches the cluster. */
export async function rollBackUpgradeOperation({
  dependencies: { database },
  context,
  id,
}: {
  dependencies: ApiDependencies;
  context: RequestContext;
  id: string;
}): Promise<RuntimeId> {
  const runtimeId = parseRuntimeId(id);
  const { tenant } = context.caller();
  const { operationId, done } = await rollBackUpgrade({ database, tenant, runtimeId });
  if (done) context.log.info({ operationId, runtimeId, tenant }, 'upgrade rolled back');
  return runtimeId;
}
