import { z } from 'zod';
import type { GardenerConfig } from '../../../domain/gardener-config.ts';
import type { AuditLog } from '../shoot/shoot-policy.ts';

const tenant = z.string().min(1);
const service = z.strictObject({
  tenantID: tenant,
  serviceURL: z.url({ protocol: /^https$/ }),
  /** In the project's namespace of the Garden. */
  secretName: z.string().min(1),
});

/**
 * Where audit logs go, in forms that the original has had: `{ "<provider>": { "<region>": ... } }`, or by the name of a
 * Seed, `{ "<seed>": "<tenant>" }`. A text is a tenant for the annotation, an object the configuration of Gardener's
 * extension.
 */
export const auditLogTenants = z.record(
  z.string(),
  z.union([tenant, z.record(z.string(), z.union([tenant, service]))]),
);
export type AuditLogTenants = z.infer<typeof auditLogTenants>;

/**
 * The original looked at the provider of the Seed, once there was one. That is the cluster's own, since Gardener's
 * scheduler prefers Seeds of the same provider, and so the first version of a Shoot is complete.
 */
export function auditLogFor(
  tenants: AuditLogTenants,
  { provider, region, seed }: GardenerConfig,
): AuditLog | undefined {
  const found = ofSeed(tenants, seed) ?? ofRegion(tenants, provider, region);
  if (found === undefined) return undefined;
  return typeof found === 'string' ? { form: 'annotation', tenant: found } : { form: 'extension', ...found };
}

function ofRegion(tenants: AuditLogTenants, provider: string, region: string) {
  const regions = Object.hasOwn(tenants, provider) ? tenants[provider] : undefined;
  return typeof regions === 'object' && Object.hasOwn(regions, region) ? regions[region] : undefined;
}

/** True when it takes the Seed to know where all audit logs go. */
export function dependsOnSeed(tenants: AuditLogTenants): boolean {
  return Object.values(tenants).some((entry) => typeof entry === 'string');
}

/** The Seed's own entry, or else one whose key is a part of its name. */
function ofSeed(tenants: AuditLogTenants, seed: string | undefined): string | undefined {
  if (seed === undefined) return undefined;
  const texts = Object.entries(tenants).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return (texts.find(([key]) => key === seed) ?? texts.find(([key]) => seed.includes(key)))?.[1];
}
