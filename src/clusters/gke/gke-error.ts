import { isRecord, readPath, readRecords, readText } from '../../domain/json.ts';

interface GkeErrorDetails {
  readonly httpStatus: number;
  readonly status: string | undefined;
  readonly reason: string | undefined;
  readonly message: string;
}

/** What Google's API answered instead of doing what was asked. Its message is the API's own. */
export class GkeError extends Error {
  override readonly name = 'GkeError';
  readonly httpStatus: number;
  /** Such as `PERMISSION_DENIED`; undefined when the answer was not Google's. */
  readonly status: string | undefined;
  /** The most precise word there is: that of an ErrorInfo, or else the old one. */
  readonly reason: string | undefined;

  constructor({ httpStatus, status, reason, message }: GkeErrorDetails) {
    super(message);
    this.httpStatus = httpStatus;
    this.status = status;
    this.reason = reason;
  }
}

export function gkeErrorFrom(httpStatus: number, body: unknown): GkeError {
  const error = readPath(body, 'error');
  if (!isRecord(error)) {
    return new GkeError({ httpStatus, status: undefined, reason: undefined, message: `HTTP ${httpStatus}` });
  }
  const info = readRecords(error, 'details').find((detail) => readText(detail, 'reason') !== undefined);
  const old = readRecords(error, 'errors')[0];
  return new GkeError({
    httpStatus,
    status: readText(error, 'status'),
    reason: readText(info, 'reason') ?? readText(old, 'reason'),
    message: readText(error, 'message') ?? `HTTP ${httpStatus}`,
  });
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
