import type { IncomingHttpHeaders } from 'node:http';
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
}

export function requestContext({
  headers,
  correlationId,
  log,
}: {
  headers: IncomingHttpHeaders;
  correlationId: string;
  log: Logger;
}): RequestContext {
  return {
    caller: () => ({
      tenant: parseTenant(singleValue(headers.tenant)),
      subAccount: singleValue(headers['sub-account'])?.trim() || undefined,
    }),
    correlationId,
    log: log.child({ correlationId }),
  };
}

function singleValue(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
