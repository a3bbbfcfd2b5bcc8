import { Failure } from '../../domain/failures.ts';

/** What became of the cluster, told of what was to become of it, such as `cluster hibernation failed.` */
export function retoldFailure(failure: Failure, beginning: string): Failure {
  const { code, reason, component, nextStep, cause } = failure;
  const message = failure.message.replace(/^cluster \w+ failed\./, beginning);
  return new Failure(code, message, { reason, component, cause, ...(nextStep !== undefined && { nextStep }) });
}
