import { findConfigurationChange } from '../db/queries/configuration-changes.ts';
import type { RequestContext } from './context.ts';
import type { ApiDependencies } from './dependencies.ts';
import type { ConfigurationChange } from './generated/schema.ts';
import { presentConfigurationChange } from './presenters/present-configuration-change.ts';
import type { OperationView } from './views.ts';

/** What an operation changed; undefined for one that leaves the configuration alone, and for a dry run. */
export async function configurationChange({
  dependencies: { database },
  context,
  view: { operation, plan },
}: {
  dependencies: ApiDependencies;
  context: RequestContext;
  view: OperationView;
}): Promise<ConfigurationChange | undefined> {
  if (plan !== undefined) return undefined;
  const { tenant } = context.caller();
  const change = await findConfigurationChange({ database, tenant, operationId: operation.id });
  return change && presentConfigurationChange(change);
}
