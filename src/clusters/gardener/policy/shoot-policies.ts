import { z } from 'zod';
import type { Logger } from '../../../domain/logger.ts';
import type { GardenerOrder } from '../gardener-order.ts';
import type { AuditLog, ShootPolicy } from '../shoot/shoot-policy.ts';
import type { FindShootPolicy } from '../shoot-settings.ts';
import { auditLogFor, auditLogTenants, dependsOnSeed } from './audit-log-tenants.ts';
import { hasWindow, maintenanceWindows } from './maintenance-windows.ts';
import { PolicyFile } from './policy-file.ts';

export interface ShootPolicySettings {
  /** Paths of JSON files. */
  readonly maintenanceWindowsPath?: string | undefined;
  readonly auditLogTenantsPath?: string | undefined;
  readonly tolerationsPath?: string | undefined;
  /** For clusters that are not in the file. */
  readonly auditLogTenant?: string | undefined;
  readonly auditPolicyConfigMap?: string | undefined;
  readonly instanceMetadataV2?: boolean | undefined;
}

const tolerationsByRegion = z.record(z.string(), z.array(z.string().min(1)));

/** Reads all files first, and throws when one cannot be used. A region that a file does not know is logged, and goes without. */
export async function shootPolicies({
  settings,
  log,
}: {
  settings: ShootPolicySettings;
  log: Logger;
}): Promise<FindShootPolicy> {
  const { maintenanceWindowsPath, auditLogTenantsPath, tolerationsPath } = settings;
  const { auditLogTenant, auditPolicyConfigMap, instanceMetadataV2 } = settings;
  const open = <Contents>(path: string | undefined, schema: z.ZodType<Contents>) =>
    path === undefined ? undefined : new PolicyFile({ path, schema, log });
  const windows = open(maintenanceWindowsPath, maintenanceWindows);
  const tenants = open(auditLogTenantsPath, auditLogTenants);
  const tolerations = open(tolerationsPath, tolerationsByRegion);
  for (const file of [windows, tenants, tolerations]) await file?.contents();

  async function maintenanceWindow({ cluster: { config } }: GardenerOrder): Promise<ShootPolicy['maintenanceWindow']> {
    if (!windows || !hasWindow(config)) return undefined;
    const found = entryOf(await windows.contents(), config.region);
    if (!found) log.warn({ region: config.region }, 'no maintenance window for this region; Gardener draws one');
    return found;
  }

  async function auditLog({ cluster: { config } }: GardenerOrder): Promise<AuditLog | undefined> {
    const { provider, region, seed } = config;
    const contents = await tenants?.contents();
    const found = contents && auditLogFor(contents, config);
    if (found) return found;
    if (auditLogTenant !== undefined) return { form: 'annotation', tenant: auditLogTenant };
    const mayBeFound = contents && seed === undefined && dependsOnSeed(contents);
    if (contents && !mayBeFound)
      log.warn({ provider, region }, 'no tenant for audit logs of this region; the cluster goes without');
    return undefined;
  }

  return async (order) => ({
    ...{ auditPolicyConfigMap, instanceMetadataV2 },
    maintenanceWindow: await maintenanceWindow(order),
    auditLog: await auditLog(order),
    tolerations: tolerations && entryOf(await tolerations.contents(), order.cluster.config.region),
  });
}

function entryOf<Value>(contents: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(contents, key) ? contents[key] : undefined;
}
