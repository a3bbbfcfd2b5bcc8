import type { KubernetesApi } from '../kubernetes/kubernetes-api.ts';
import type { AdmissionRequest } from '../kubernetes/resource-type.ts';
import { forbidden } from '../kubernetes/status-error.ts';

const confirmationAnnotation = 'confirmation.gardener.cloud/deletion';
const confirmedByAnnotation = 'deletion.gardener.cloud/confirmed-by';
const shoots = { group: 'core.gardener.cloud', plural: 'shoots' };

interface DualApproval {
  readonly resource: string;
  readonly selector?: { readonly matchLabels?: Readonly<Record<string, string>> };
  readonly includeServiceAccounts?: boolean;
}

/** Whoever confirms a deletion is written down. */
export function noteConfirmation({ object, old, user }: AdmissionRequest): void {
  const annotations = object?.metadata.annotations;
  if (annotations?.[confirmationAnnotation] !== 'true') return;
  if (old?.metadata.annotations?.[confirmationAnnotation] !== 'true') annotations[confirmedByAnnotation] = user.name;
}

/** A Shoot goes only when that was confirmed; in some projects not by whoever asks for it. */
export function confirmDeletion({ old: shoot, user }: AdmissionRequest, garden: KubernetesApi): void {
  const { name, namespace, labels = {}, annotations = {} } = shoot?.metadata ?? {};
  if (annotations[confirmationAnnotation] !== 'true') {
    throw forbidden(shoots, name, `must have a "${confirmationAnnotation}" annotation to delete`);
  }
  const project = garden.list('projects').find(({ spec }) => spec.namespace === namespace);
  const rules: readonly DualApproval[] = project?.spec.dualApprovalForDeletion ?? [];
  const isTwofold = rules.some(
    ({ resource, selector, includeServiceAccounts = true }) =>
      resource === 'shoots' &&
      Object.entries(selector?.matchLabels ?? {}).every(([key, value]) => labels[key] === value) &&
      (includeServiceAccounts || !user.name.startsWith('system:serviceaccount:')),
  );
  if (!isTwofold || annotations[confirmedByAnnotation] !== user.name) return;
  const words =
    'you are not allowed to both confirm the deletion and send the actual DELETE request - another subject must perform the deletion';
  throw forbidden(shoots, name, words);
}
