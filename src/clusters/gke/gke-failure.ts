import { Failure, type FailureCode } from '../../domain/failures.ts';

const component = 'google kubernetes engine';

/** Where the words of the failure table are those of Gardener. */
const ownWords: Readonly<Partial<Record<FailureCode, { readonly reason: string; readonly nextStep?: string }>>> = {
  CLUSTER_REJECTED: {
    reason: 'err_gke_rejected',
    nextStep:
      'Do what the message asks for in the Google Cloud project; then send retryOperation. When the order itself is wrong, deprovision the Runtime and provision another one.',
  },
  CLUSTER_NAME_TAKEN: { reason: 'err_gke_name_taken' },
  CLUSTER_FAILED: { reason: 'err_gke_cluster_failed' },
  CLUSTER_FAILED_PROVIDER: {
    reason: 'err_gke_cluster_failed',
    nextStep:
      'Send retryOperation later; when that does not help, deprovision the Runtime and provision it in another zone or with another machine type.',
  },
  CLUSTER_PROVIDER_UNAVAILABLE: { reason: 'err_gke_unavailable' },
};

/** A failure that lies with Google Kubernetes Engine; `reason` is Google's own word, when it has one. */
export function gkeFailure({
  code,
  message,
  reason,
  cause,
}: {
  readonly code: FailureCode;
  readonly message: string;
  readonly reason?: string | undefined;
  readonly cause?: unknown;
}): Failure {
  const words = { ...ownWords[code], ...(reason !== undefined && { reason }) };
  return new Failure(code, message, { component, ...words, ...(cause !== undefined && { cause }) });
}
