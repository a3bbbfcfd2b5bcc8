import { Failure, type FailureCode } from '../domain/failures.ts';
import { DirectorUnavailable } from './director-unavailable.ts';

/** One entry of `errors` in a GraphQL answer, as far as we read it. */
export interface DirectorGraphqlError {
  readonly message: string;
  /** `extensions.error_code`; undefined when the answer has none. */
  readonly code: number | undefined;
  /** `extensions.error`, the code's name. */
  readonly name: string | undefined;
}

/** The Director's codes that nothing but a different request (or somebody's help) can cure. */
const permanentCodes: Readonly<Record<number, FailureCode>> = {
  20: 'DIRECTOR_RUNTIME_NOT_FOUND',
  21: 'DIRECTOR_CONFLICT',
  31: 'DIRECTOR_CONFLICT',
  22: 'DIRECTOR_REJECTED',
  27: 'DIRECTOR_REJECTED',
  29: 'DIRECTOR_REJECTED',
  30: 'DIRECTOR_REJECTED',
  33: 'DIRECTOR_REJECTED',
  400: 'DIRECTOR_REJECTED',
  23: 'DIRECTOR_UNAUTHORIZED',
  26: 'DIRECTOR_UNAUTHORIZED',
  24: 'DIRECTOR_TENANT_INVALID',
  25: 'DIRECTOR_TENANT_INVALID',
};

/** The codes that another access token may cure: insufficient scopes, unauthorized. */
const tokenCodes: ReadonlySet<number | undefined> = new Set([23, 26]);

export function asksForAnotherToken(errors: readonly DirectorGraphqlError[]): boolean {
  return errors.some((error) => tokenCodes.has(error.code));
}

/**
 * What errors in a GraphQL answer mean: a Failure for what the Director refuses for good, DirectorUnavailable for what
 * may heal, such as an internal error or a concurrent update. A code that we do not know may heal.
 */
export function classifyGraphqlErrors(details: {
  readonly operation: string;
  readonly errors: readonly DirectorGraphqlError[];
  /** The HTTP status says that the request itself was wrong, whatever the errors say. */
  readonly requestRefused: boolean;
}): Failure | DirectorUnavailable {
  const { operation, errors, requestRefused } = details;
  const permanent = errors.find((error) => error.code !== undefined && error.code in permanentCodes);
  const refusedWithoutCode = requestRefused && errors.every((error) => error.code === undefined);
  const code = permanentCodes[permanent?.code ?? -1] ?? (refusedWithoutCode ? 'DIRECTOR_REJECTED' : undefined);
  const words = errors.map((error) => error.message).join('; ') || 'no reason given';
  if (code) {
    const message = `the Director refused ${operation}: ${words}`;
    return new Failure(code, message, permanent?.name ? { reason: permanent.name } : {});
  }
  return new DirectorUnavailable(`the Director failed at ${operation}: ${words}`, { fate: 'answered' });
}
