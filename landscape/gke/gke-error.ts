import { jsonResponse, type WebResponse } from '../web-server.ts';

/** Google's canonical statuses with the HTTP status that each comes as. */
const httpStatuses = {
  INVALID_ARGUMENT: 400,
  FAILED_PRECONDITION: 400,
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  NOT_FOUND: 404,
  ALREADY_EXISTS: 409,
  ABORTED: 409,
  RESOURCE_EXHAUSTED: 429,
  INTERNAL: 500,
  UNIMPLEMENTED: 501,
  UNAVAILABLE: 503,
} as const;
export type GkeStatus = keyof typeof httpStatuses;

/** The old `errors[].reason` beside each status. */
const reasons: Readonly<Record<GkeStatus, string>> = {
  INVALID_ARGUMENT: 'badRequest',
  FAILED_PRECONDITION: 'failedPrecondition',
  UNAUTHENTICATED: 'authError',
  PERMISSION_DENIED: 'forbidden',
  NOT_FOUND: 'notFound',
  ALREADY_EXISTS: 'alreadyExists',
  ABORTED: 'aborted',
  RESOURCE_EXHAUSTED: 'rateLimitExceeded',
  INTERNAL: 'backendError',
  UNIMPLEMENTED: 'notImplemented',
  UNAVAILABLE: 'backendError',
};

/** What the API answers instead of doing what was asked. */
export class GkeError extends Error {
  readonly status: GkeStatus;
  /** `details[].reason` of an ErrorInfo. */
  readonly reason: string | undefined;

  constructor(status: GkeStatus, message: string, reason?: string) {
    super(message);
    this.status = status;
    this.reason = reason;
  }

  get response(): WebResponse {
    return jsonResponse(httpStatuses[this.status], gkeErrorBody(this));
  }
}

/** The body of an error, for faults that a test scripts, too. */
export function gkeErrorBody({
  status,
  message,
  reason,
}: {
  readonly status: GkeStatus;
  readonly message: string;
  readonly reason?: string | undefined;
}): object {
  const details = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'container.googleapis.com' }];
  return {
    error: {
      code: httpStatuses[status],
      message,
      status,
      errors: [{ message, domain: 'global', reason: reasons[status] }],
      ...(reason !== undefined && { details }),
    },
  };
}
