import { Failure, type FailureCode } from '../../domain/failures.ts';
import { KubernetesError } from '../../kubernetes/kubernetes-error.ts';

export interface Refusal {
  readonly code: FailureCode;
  /** In the server's own words. */
  readonly message: string;
}

/**
 * Why Gardener will never accept this call, or undefined when it may accept the same call later. Most of what
 * Gardener's admission finds comes as 403, so 403 means neither "no permission" nor "for ever" by itself.
 */
export function refusalOf(error: unknown): Refusal | undefined {
  if (!(error instanceof KubernetesError)) return undefined;
  const { status, message } = error;
  switch (status) {
    case 400:
    case 405:
    case 413:
    case 422:
      return { code: 'CLUSTER_REJECTED', message };
    case 403:
      if (isTransient(message)) return undefined;
      return { code: isMissingPermission(message) ? 'CLUSTER_PROVIDER_FORBIDDEN' : 'CLUSTER_REJECTED', message };
    case 404:
      // The project's namespace: a wrong configuration of this service. A 404 of another origin proves nothing.
      return error.reason === 'NotFound' ? { code: 'CLUSTER_PROVIDER_UNAVAILABLE', message } : undefined;
    case 500:
      return isMissingReference(message) ? { code: 'CLUSTER_REJECTED', message } : undefined;
    default:
      return undefined;
  }
}

export function isAlreadyExists(error: unknown): boolean {
  return error instanceof KubernetesError && error.status === 409 && error.reason === 'AlreadyExists';
}

/** Throws the refusal as a Failure, and everything that may heal as it is. */
export function throwRefusal(error: unknown): never {
  const refusal = refusalOf(error);
  if (refusal) throw new Failure(refusal.code, refusal.message, { cause: error });
  throw error;
}

/** Admission plug-ins that are still filling their caches, or that have not seen the confirmation just written. */
function isTransient(message: string): boolean {
  return /not yet ready to handle request/i.test(message) || message.includes('confirmation.gardener.cloud/deletion');
}

/** What a Shoot refers to and is not there: some of Gardener's plug-ins call that an error of their own. */
function isMissingReference(message: string): boolean {
  return /could not find referenced (cloud profile|credentials binding|secret binding|seed)\b.* not found/.test(
    message,
  );
}

/** The sentence of Kubernetes' authorizers; admission plug-ins put theirs after the name of the object. */
function isMissingPermission(message: string): boolean {
  return /\bis forbidden: User "[^"]*" cannot \w+ resource\b/.test(message);
}
