import { Failure } from '../domain/failures.ts';

/**
 * The database could not be reached, or the connection was lost. `uncertain` means that the statement was already on
 * its way, so that it may have been carried out.
 */
export class DatabaseUnavailable extends Failure {
  readonly uncertain: boolean;

  constructor(cause: unknown, uncertain: boolean) {
    super('DATABASE_UNAVAILABLE', 'the database is not available at the moment; try again later', { cause });
    this.uncertain = uncertain;
  }
}

const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOENT',
]);

/** Said by the driver itself, without a code. */
const driverMessages =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end|Client network socket disconnected)/;

/** True for an error of the connection rather than of the statement. */
export function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = errorCode(error);
  if (code === undefined) return driverMessages.test(error.message);
  return networkCodes.has(code) || isServerNotReady(code);
}

/** A server that refuses connections for now: full, starting, stopping, or told not to accept any (55000). */
export function isRefusalForNow(error: unknown): boolean {
  return isConnectionError(error) || errorCode(error) === '55000';
}

/** The server, or something before it, could not even be spoken to. */
export function isNetworkError(error: unknown): boolean {
  return error instanceof Error && networkCodes.has(errorCode(error) ?? '');
}

/** The SQLSTATE of a server's error, or the code of a network error. */
export function errorCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : undefined;
}

/** Rolled back by the server for reasons of concurrency: the same statement can be sent again at once. */
export function isRolledBackByConcurrency(error: unknown): boolean {
  const code = errorCode(error);
  return code === '40001' || code === '40P01';
}

/** Class 08: connection exceptions. 53: out of resources. 57P0x: shutting down, crashed, starting up. 25006: a standby. */
function isServerNotReady(sqlState: string): boolean {
  return /^(08...|53...|57P0[1-5]|25006)$/.test(sqlState);
}
