import { readRecords } from '../../domain/json.ts';
import type { KubernetesClient, ObjectReference } from '../../kubernetes/kubernetes-client.ts';
import { isObjectNotFound } from '../../kubernetes/kubernetes-error.ts';
import type { GardenerOrder } from './gardener-order.ts';
import { throwRefusal } from './refusal.ts';
import type { Shoot } from './shoot/shoot.ts';
import { auditLogExtensionType, auditTenantAnnotation } from './shoot/shoot-policy.ts';
import type { FindShootPolicy } from './shoot-settings.ts';

/**
 * Notes the audit log tenant of the Seed that Gardener has chosen, which nobody knew when the Shoot was made. A Shoot
 * whose audit logs go through the extension is left alone.
 */
export async function settleShoot({
  client,
  reference,
  shoot,
  order,
  seed,
  findPolicy,
  signal,
}: {
  client: KubernetesClient;
  reference: ObjectReference;
  shoot: Shoot;
  order: GardenerOrder;
  seed: string;
  findPolicy: FindShootPolicy;
  signal: AbortSignal;
}): Promise<void> {
  const { cluster } = order;
  const { auditLog } = await findPolicy({ ...order, cluster: { ...cluster, config: { ...cluster.config, seed } } });
  const { uid, annotations } = shoot.metadata;
  if (auditLog?.form !== 'annotation' || annotations?.[auditTenantAnnotation] === auditLog.tenant) return;
  if (readRecords(shoot, 'spec', 'extensions').some(({ type }) => type === auditLogExtensionType)) return;
  const patch = { metadata: { uid, annotations: { [auditTenantAnnotation]: auditLog.tenant } } };
  await client.patch(reference, patch, { signal }).catch((error: unknown) => {
    // Whoever waits for the Shoot is told so.
    if (!isObjectNotFound(error)) throwRefusal(error);
  });
}
