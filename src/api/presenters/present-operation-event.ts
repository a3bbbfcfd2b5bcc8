import type { OperationEvent } from '../../domain/operation-event.ts';
import type * as answers from '../generated/schema.ts';
import { presentLastError } from './present-last-error.ts';

export function presentOperationEvent(event: OperationEvent): answers.OperationEvent {
  const { sequence, at, type, stage, message, progress, error } = event;
  return { sequence, at, type, stage, message, progress, error: presentLastError(error) };
}
