import { Failure, type RecordedError, recordError } from '../domain/failures.ts';

const longest = 2_000;

/** What is recorded of a transient error: its own words, for whoever has to find out what is not there. */
export function describeError(error: unknown): RecordedError {
  if (error instanceof Failure) return clean(recordError(error));
  const words = error instanceof Error ? error.message || error.name : String(error);
  return clean(recordError(new Failure('INTERNAL', words)));
}

/** PostgreSQL stores no zero characters, and nobody reads a page in a status message. */
export function storableText(text: string): string {
  const withoutZeros = text.replaceAll('\0', '');
  return withoutZeros.length <= longest ? withoutZeros : `${withoutZeros.slice(0, longest)}…`;
}

function clean(error: RecordedError): RecordedError {
  return { ...error, message: storableText(error.message), reason: storableText(error.reason) };
}
