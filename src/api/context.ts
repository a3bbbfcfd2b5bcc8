import type { IncomingHttpHeaders } from 'node:http';
import type { KeyedRequest } from '../db/queries/idempotency-keys.ts';
import type { IdempotentRequest } from '../db/queries/idempotent-acceptance.ts';
import { parseTenant, type Tenant } from '../domain/ids.ts';
import type { Logger } from '../domain/logger.ts';

/** Who sends a request. */
export interface Caller {
  readonly tenant: Tenant;
  readonly subAccount: string | undefined;
}

/** What resolvers know of the request they serve. */
export interface RequestContext {
  /**
   * The only way to a tenant, and so the one place where it is checked: throws TENANT_MISSING without one. It is asked
   * for when it is needed, so that introspection needs none.
   */
  caller(): Caller;
  /** Names the request in the log and in masked errors. */
  readonly correlationId: string;
  readonly log: Logger;
  /** Set when the caller may send the request again; for the resolvers of mutations as a whole. */
  readonly keyedRequest?: KeyedRequest | undefined;
  /** The same for the one mutation at work. Whatever it accepts is accepted for this. */
  readonly idempotentRequest?: IdempotentRequest | undefined;
}

export function requestContext({
  headers,
  correlationId,
  log,
  keyedRequest,
}: {
  headers: IncomingHttpHeaders;
  correlationId: string;
  log: Logger;
  keyedRequest?: KeyedRequest | undefined;
}): RequestContext {
  let child: Logger | undefined;
  return {
    caller: () => ({
      tenant: parseTenant(singleValue(headers.tenant)),
      subAccount: singleValue(headers['sub-account'])?.trim() || undefined,
    }),
    correlationId,
    // Most requests have nothing to log.
    get log() {
      child ??= log.child({ correlationId });
      return child;
    },
    keyedRequest,
  };
}

function singleValue(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
