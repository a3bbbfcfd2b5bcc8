import { isRecord } from '../../../domain/json.ts';
import type { KubernetesObject } from '../../../kubernetes/kubernetes-client.ts';
import { euAccessLabel } from './option-extenders.ts';
import { ownerAnnotations } from './ownership.ts';
import { auditTenantAnnotation } from './shoot-policy.ts';

/** A field that is kept whole, or what is kept of it; of a list, that of each of its items. */
type Kept = true | { readonly [field: string]: Kept };

/** All that is read of a Shoot that comes from the watch. What is read for a change is asked for whole. */
const kept: Kept = {
  apiVersion: true,
  kind: true,
  metadata: {
    ...{ name: true, namespace: true, uid: true, resourceVersion: true, generation: true },
    ...{ creationTimestamp: true, deletionTimestamp: true, labels: { account: true } },
    annotations: Object.fromEntries([...ownerAnnotations, auditTenantAnnotation].map((name) => [name, true])),
  },
  spec: {
    ...{ purpose: true, seedName: true, exposureClassName: true },
    ...{ credentialsBindingName: true, secretBindingName: true },
    dns: { domain: true },
    hibernation: { enabled: true },
    kubernetes: { version: true, kubeAPIServer: { structuredAuthentication: true, oidcConfig: true } },
    controlPlane: true,
    networking: { nodes: true },
    maintenance: { autoUpdate: true },
    accessRestrictions: { name: true },
    seedSelector: { matchLabels: { [euAccessLabel]: true } },
    extensions: { type: true, disabled: true },
    provider: {
      infrastructureConfig: true,
      workers: {
        ...{ name: true, machine: { type: true, image: { name: true, version: true } }, zones: true },
        ...{ minimum: true, maximum: true, maxSurge: true, maxUnavailable: true },
        volume: { type: true, size: true },
        providerConfig: { instanceMetadataOptions: true },
      },
    },
  },
  status: {
    ...{ observedGeneration: true, seedName: true, hibernated: true },
    lastOperation: { type: true, state: true, progress: true, description: true },
    lastErrors: { description: true, codes: true },
    advertisedAddresses: { name: true, url: true },
    constraints: { type: true, status: true, message: true },
    credentials: { rotation: { certificateAuthorities: true } },
  },
};

/**
 * A Shoot as it is kept in memory, thousands of times: what is read of it. The rest is several times as large, and an
 * annotation such as kubectl's copy of what was last applied may be larger than all of that.
 */
export function keptShoot(object: KubernetesObject): KubernetesObject {
  return pick(object, kept) as KubernetesObject;
}

function pick(value: unknown, what: Kept): unknown {
  if (what === true) return value;
  if (Array.isArray(value)) return value.map((item) => pick(item, what));
  if (!isRecord(value)) return value;
  const picked: Record<string, unknown> = {};
  for (const [field, ofField] of Object.entries(what)) {
    if (value[field] !== undefined) picked[field] = pick(value[field], ofField);
  }
  return picked;
}
