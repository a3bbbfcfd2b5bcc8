/** One mistake that a server found, such as `spec.kubernetes.version: Unsupported value`. */
export interface StatusCause {
  readonly field: string | undefined;
  readonly reason: string | undefined;
  readonly message: string;
}

interface KubernetesErrorDetails {
  readonly status: number;
  readonly reason: string;
  /** The server's own words. */
  readonly message: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number | undefined;
}

/** What a Kubernetes API answered instead of doing what was asked. Its message is the server's own. */
export class KubernetesError extends Error {
  override readonly name = 'KubernetesError';
  readonly status: number;
  /** The reason of the Status object, such as `AlreadyExists`; `Unknown` when the answer was not a Status object. */
  readonly reason: string;
  readonly causes: readonly StatusCause[];
  /** Set when the server asked for a pause (429, some 5xx). */
  readonly retryAfterSeconds: number | undefined;
  /** The same, as whoever tries again reads it. */
  readonly retryAfterMilliseconds: number | undefined;

  constructor({ status, reason, message, causes = [], retryAfterSeconds }: KubernetesErrorDetails) {
    super(message);
    this.status = status;
    this.reason = reason;
    this.causes = causes;
    this.retryAfterSeconds = retryAfterSeconds;
    this.retryAfterMilliseconds = retryAfterSeconds === undefined ? undefined : retryAfterSeconds * 1_000;
  }
}

/** No answer came: refused, reset, timed out, TLS not trusted. Whether a write took effect is unknown. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
}

/** True when the server does not do what it is asked for, however often it is asked. */
export function isRefused(error: unknown): boolean {
  return error instanceof KubernetesError && error.status >= 400 && error.status < 500 && error.status !== 429;
}

/** Reads an answer's body, which is a Status object when it came from a Kubernetes API. */
export function kubernetesErrorFrom(status: number, body: string, retryAfter?: string): KubernetesError {
  const retryAfterSeconds = parseRetryAfter(retryAfter);
  const parsed = parseStatus(body);
  if (parsed) {
    const { reason, message, causes } = parsed;
    return new KubernetesError({ status: parsed.code ?? status, reason, message, causes, retryAfterSeconds });
  }
  const words = body.trim().replace(/\s+/g, ' ').slice(0, 300);
  return new KubernetesError({
    status,
    reason: 'Unknown',
    message: `HTTP ${status}${words && `: ${words}`}`,
    retryAfterSeconds,
  });
}

/** True when the server says that the object, not the path, is unknown. */
export function isObjectNotFound(error: unknown): boolean {
  return error instanceof KubernetesError && error.status === 404 && error.reason === 'NotFound';
}

/** True when a resourceVersion or a continue token is too old to go on from. */
export function isGone(error: unknown): boolean {
  return error instanceof KubernetesError && (error.status === 410 || error.reason === 'Expired');
}

function parseStatus(body: string) {
  if (!body.trimStart().startsWith('{')) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return undefined;
  }
  return readStatus(value);
}

/** Undefined unless the value is a Status object. */
export function readStatus(value: unknown) {
  if (!isRecord(value) || value.kind !== 'Status') return undefined;
  const details = isRecord(value.details) ? value.details : {};
  const causes = Array.isArray(details.causes) ? details.causes.filter(isRecord) : [];
  return {
    code: typeof value.code === 'number' ? value.code : undefined,
    reason: text(value.reason) ?? 'Unknown',
    message: text(value.message) ?? 'the server gave no message',
    causes: causes.map((cause) => ({
      field: text(cause.field),
      reason: text(cause.reason),
      message: text(cause.message) ?? '',
    })),
  };
}

function parseRetryAfter(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  const seconds = Number(header);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
