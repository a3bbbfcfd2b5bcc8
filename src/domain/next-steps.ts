import type { FailureCode } from './failures.ts';

/** What to do about a failure in which an operation can end, unless whoever found it knows better: a sentence. */
export const nextSteps: Readonly<Partial<Record<FailureCode, string>>> = {
  OPERATION_CANCELLED: 'Take it up again with retryOperation, or remove what is left with deprovisionRuntime.',
  INTERNAL: 'Nothing as long as the operation is in progress: it tries again.',
  TIMEOUT: 'See in the message what was waited for; when that can be expected to work, send retryOperation.',
  STAGE_NOT_FOUND: 'Run the version of this service again that started the operation, or deprovision the Runtime.',
  DATABASE_UNAVAILABLE: 'Nothing as long as the operation is in progress: it tries again.',
  CLUSTER_REJECTED: 'Deprovision the Runtime, and provision it with what Gardener asks for.',
  CLUSTER_NAME_TAKEN: 'Deprovision the Runtime, and provision it under another name.',
  CLUSTER_FAILED:
    'Remove the cause in the order or in the cloud account; then send retryOperation, or deprovision the Runtime.',
  CLUSTER_FAILED_PROVIDER: 'Send retryOperation later; when that does not help, ask whoever runs Gardener.',
  CLUSTER_LOST: 'Deprovision the Runtime, and provision a new one.',
  CLUSTER_NO_SEED:
    'Ask whoever runs Gardener for a Seed that takes this cluster, or deprovision the Runtime and ask for less: another region, any Seed, no restriction; then send retryOperation.',
  CLUSTER_PROVIDER_FORBIDDEN:
    'Grant the service account of this service the permission in the Garden; then send retryOperation.',
  CREDENTIALS_INVALID: 'Create the Secret as the message says; then send retryOperation.',
  CREDENTIALS_REFUSED:
    'Give the service account what the message names, or put a new key into the Secret; then send retryOperation.',
  KYMA_ARTIFACT_INVALID: 'Correct the catalogue of Kyma releases; then send retryOperation.',
  KYMA_INSTALLATION_FAILED:
    'See in the message what the cluster refuses and remove the cause; then send retryOperation.',
  HIBERNATED: 'Wake the Runtime up with wakeUpRuntime; then send the request again.',
  NOT_RECONNECTABLE: 'Provide what the message says is missing; then send the request again.',
  AGENT_CONNECTION_FAILED:
    'See in the message what the Runtime Agent says, and whether its cluster reaches the Connector; then send retryOperation.',
  DIRECTOR_TENANT_INVALID: 'Have the tenant made known to the Director; then send retryOperation.',
  DIRECTOR_RUNTIME_NOT_FOUND:
    'Deprovision the Runtime: its entry in the Director was removed, and cannot be made again.',
  DIRECTOR_REJECTED: 'See in the message what the Director refuses; then deprovision the Runtime.',
  DIRECTOR_CONFLICT: 'Remove what stands in the way in the Director; then send retryOperation.',
  DIRECTOR_UNAUTHORIZED: "Correct this service's credentials for the Director; the operation tries again until then.",
};
