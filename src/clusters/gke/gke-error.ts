import { isRecord, readPath, readRecords, readText } from '../../domain/json.ts';
import type { GoogleAnswer } from './google/google-exchange.ts';

interface GkeErrorDetails {
  readonly httpStatus: number;
  readonly status: string | undefined;
  readonly reason: string | undefined;
  readonly message: string;
  readonly retryAfterMilliseconds?: number | undefined;
}

/** What Google's API answered instead of doing what was asked. Its message is the API's own. */
export class GkeError extends Error {
  override readonly name = 'GkeError';
  readonly httpStatus: number;
  /** Such as `PERMISSION_DENIED`; undefined when the answer was not Google's. */
  readonly status: string | undefined;
  /** The most precise word there is: that of an ErrorInfo, or else the old one. */
  readonly reason: string | undefined;
  /** When to come back, if Google says so. */
  readonly retryAfterMilliseconds: number | undefined;

  constructor({ httpStatus, status, reason, message, retryAfterMilliseconds }: GkeErrorDetails) {
    super(message);
    this.httpStatus = httpStatus;
    this.status = status;
    this.reason = reason;
    this.retryAfterMilliseconds = retryAfterMilliseconds;
  }
}

export function gkeErrorFrom({ status: httpStatus, body, retryAfterMilliseconds }: GoogleAnswer): GkeError {
  const error = readPath(body, 'error');
  if (!isRecord(error)) {
    const unknown = { status: undefined, reason: undefined, message: `HTTP ${httpStatus}` };
    return new GkeError({ httpStatus, ...unknown, retryAfterMilliseconds });
  }
  const info = readRecords(error, 'details').find((detail) => readText(detail, 'reason') !== undefined);
  const old = readRecords(error, 'errors')[0];
  const delay = readRecords(error, 'details')
    .map((detail) => readText(detail, 'retryDelay'))
    .find(Boolean);
  return new GkeError({
    httpStatus,
    status: readText(error, 'status'),
    reason: readText(info, 'reason') ?? readText(old, 'reason'),
    message: readText(error, 'message') ?? `HTTP ${httpStatus}`,
    retryAfterMilliseconds: delay === undefined ? retryAfterMilliseconds : readDuration(delay),
  });
}

/** Of a RetryInfo, such as `21s` or `1.5s`. */
function readDuration(text: string): number | undefined {
  const seconds = /^(\d+(?:\.\d+)?)s$/.exec(text)?.[1];
  return seconds === undefined ? undefined : Number(seconds) * 1_000;
}

/** True when Google itself says that the resource, not the path, is unknown. */
export function isNotFound(error: unknown): boolean {
  return error instanceof GkeError && error.httpStatus === 404 && error.status === 'NOT_FOUND';
}

export function isAlreadyExists(error: unknown): boolean {
  return error instanceof GkeError && error.status === 'ALREADY_EXISTS';
}

/** GKE carries out one operation at a time on each cluster, and is at one. */
export function isBusy(error: unknown): boolean {
  return error instanceof GkeError && error.status === 'FAILED_PRECONDITION';
}
