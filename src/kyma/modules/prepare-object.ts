import { isRecord, readRecords, readText } from '../../domain/json.ts';
import type { KubernetesObject } from '../../kubernetes/kubernetes-client.ts';

/** Fields of metadata that only the server writes. */
const serversMetadata = new Set([
  'creationTimestamp',
  'deletionTimestamp',
  'generation',
  'managedFields',
  'resourceVersion',
  'selfLink',
  'uid',
]);

/** Empty, or base64 of a line feed: what generators leave where a controller will put the certificate. */
const placeholderBundles: ReadonlySet<unknown> = new Set(['', 'Cg==', null]);

/** An object as it may be applied: without what the server, or a controller in the cluster, owns. */
export function prepareObject(object: KubernetesObject): KubernetesObject {
  const { status: _, metadata, ...rest } = object;
  const ownMetadata = Object.fromEntries(Object.entries(metadata).filter(([key]) => !serversMetadata.has(key)));
  const prepared = { ...rest, apiVersion: object.apiVersion, kind: object.kind, metadata: ownMetadata };
  return isCertifiedByController(object) ? (withoutPlaceholders(prepared) as KubernetesObject) : prepared;
}

/** Leaves the number of replicas to the autoscaler where there is one for a workload. */
export function leaveReplicasToAutoscalers(objects: readonly KubernetesObject[]): readonly KubernetesObject[] {
  const scaled = new Set(
    objects
      .filter(({ kind }) => kind === 'HorizontalPodAutoscaler')
      .map(
        (scaler) =>
          `${readText(scaler, 'spec', 'scaleTargetRef', 'kind')} ${readText(scaler, 'spec', 'scaleTargetRef', 'name')}`,
      ),
  );
  if (scaled.size === 0) return objects;
  return objects.map((object) => {
    if (!scaled.has(`${object.kind} ${object.metadata.name}`) || !isRecord(object.spec)) return object;
    const { replicas: _, ...spec } = object.spec;
    return { ...object, spec };
  });
}

function isCertifiedByController(object: KubernetesObject): boolean {
  const { kind } = object;
  if (kind === 'CustomResourceDefinition') return readText(object, 'spec', 'conversion', 'strategy') === 'Webhook';
  return kind.endsWith('WebhookConfiguration') && readRecords(object, 'webhooks').length > 0;
}

function withoutPlaceholders(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPlaceholders);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).filter(([key, inner]) => key !== 'caBundle' || !placeholderBundles.has(inner));
  return Object.fromEntries(entries.map(([key, inner]) => [key, withoutPlaceholders(inner)]));
}
