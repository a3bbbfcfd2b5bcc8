import { createHash } from 'node:crypto';
import type { Tenant } from './ids.ts';

/**
 * A tenant as it is written where not every text may stand, such as in a label: 40 hexadecimal digits of its SHA-256.
 * It says nothing to those who do not know the tenant.
 */
export function tenantMark(tenant: Tenant): string {
  return createHash('sha256').update(tenant).digest('hex').slice(0, 40);
}
