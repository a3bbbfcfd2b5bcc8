import { Failure } from '../../domain/failures.ts';
import { GkeError } from './gke-error.ts';
import { gkeFailure } from './gke-failure.ts';
import { CredentialsRefused } from './google/credentials-refused.ts';

/** What a service account needs to make and remove clusters. */
const roles = 'Kubernetes Engine Admin (roles/container.admin) and Service Account User (roles/iam.serviceAccountUser)';

/**
 * Why Google will never accept this call, or undefined when it may accept the same call later. Missing permissions,
 * used-up quotas and rate limits all come as 403, so the status alone says nothing.
 */
export function refusalOf(error: unknown): Failure | undefined {
  if (error instanceof Failure) return error;
  if (error instanceof CredentialsRefused) {
    const hint = 'the key was deleted or disabled, or a clock is wrong; put a new key into the Secret';
    return failure('CREDENTIALS_REFUSED', `${error.message} (${hint})`, error);
  }
  if (!(error instanceof GkeError)) return undefined;
  const { httpStatus, status, message } = error;
  switch (httpStatus) {
    case 400:
      return status === 'FAILED_PRECONDITION' ? undefined : refusedRequest(error);
    case 401:
      return failure('CREDENTIALS_REFUSED', `${message} Put a new key of the service account into the Secret.`, error);
    case 403:
      return forbidden(error);
    case 404:
      // The project or the location. A 404 of another origin than Google's proves nothing.
      return status === 'NOT_FOUND' ? failure('CLUSTER_REJECTED', message, error) : undefined;
    default:
      return undefined;
  }
}

/** Throws the refusal as a Failure, and everything that may heal as it is. */
export function throwRefusal(error: unknown): never {
  throw refusalOf(error) ?? error;
}

function refusedRequest(error: GkeError): Failure {
  const { message } = error;
  if (/service account "?default"?|iam\.serviceAccounts\.actAs/i.test(message)) {
    return failure(
      'CREDENTIALS_REFUSED',
      `${message} Grant the role Service Account User on the account of the nodes.`,
      error,
    );
  }
  return failure('CLUSTER_REJECTED', message, error);
}

function forbidden(error: GkeError): Failure | undefined {
  const { reason = '', message } = error;
  if (/rate_?limit/i.test(reason) || /per minute|per second|rateLimitExceeded|rate limit/i.test(message))
    return undefined;
  if (reason === 'SERVICE_DISABLED' || reason === 'accessNotConfigured') {
    const cure = 'Enable the Kubernetes Engine API in the project (gcloud services enable container.googleapis.com)';
    return failure('CLUSTER_REJECTED', `${message} ${cure}, and send it again some minutes later.`, error);
  }
  if (/quota/i.test(message)) return failure('CLUSTER_REJECTED', message, error);
  return failure('CREDENTIALS_REFUSED', `${message} The service account needs the roles ${roles}.`, error);
}

function failure(code: 'CLUSTER_REJECTED' | 'CREDENTIALS_REFUSED', message: string, error: Error): Failure {
  const reason = error instanceof GkeError ? error.reason : undefined;
  return gkeFailure({ code, message, reason, cause: error });
}
