import type { RecordedError } from '../../domain/failures.ts';
import type * as answers from '../generated/schema.ts';

export function presentLastError(error: RecordedError | undefined): answers.LastError | undefined {
  if (!error) return undefined;
  const { message, reason, component, code, actor, retryable, nextStep } = error;
  return { errMessage: message, reason, component, code, actor, retryable, nextStep };
}
