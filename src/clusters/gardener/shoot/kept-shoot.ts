import type { KubernetesObject } from '../../../kubernetes/kubernetes-client.ts';

/** Ours, and those by which Gardener is told and tells what happens to a Shoot. */
const readAnnotations = /(^|\.)(gardener\.cloud|kyma-project\.io|sapcloud\.io)\//;

/**
 * A Shoot as it is kept in memory, thousands of times: without the annotations of others, of which a single one, such as
 * kubectl's copy of what was last applied, may be as large as the rest.
 */
export function keptShoot(object: KubernetesObject): KubernetesObject {
  const { annotations = {}, ...metadata } = object.metadata;
  const read = Object.entries(annotations).filter(([name]) => readAnnotations.test(name));
  return { ...object, metadata: { ...metadata, annotations: Object.fromEntries(read) } };
}
