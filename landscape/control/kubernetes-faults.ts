import type { Fault, ServerRequestInfo } from '../kubernetes/kubernetes-server.ts';
import { StatusError } from '../kubernetes/status-error.ts';
import type { FaultAction, TakenFault, Target } from './faults.ts';

/** A request as faults and the gate see it; the path is the one below the landscape's address: `/garden/api/v1/...`. */
export function subjectOf({ api, method, path, query, headers, body }: ServerRequestInfo) {
  const search = query.toString();
  const full = `/${api}${path}${search === '' ? '' : `?${search}`}`;
  return { target: targetOfApi(api), method, path: full, headers, body };
}

function targetOfApi(api: string): Target {
  return api === 'garden' || api === 'management' ? api : 'cluster';
}

/** The same fault in the words of the Kubernetes server, to which it is told once the request is to go on. */
export async function kubernetesFault(action: TakenFault): Promise<Fault | undefined> {
  switch (action.kind) {
    case 'stall':
      await action.over;
      return undefined;
    case 'delay':
      return action;
    case 'drop':
      return action;
    case 'loseReply':
      return { kind: 'lose-reply' };
    case 'status':
      return { kind: 'status', error: statusError(action) };
  }
}

const reasons: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  410: 'Expired',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

/** A body gives `message` and `reason`; a header `retry-after` gives the seconds. */
function statusError({ status, body, headers = {} }: Extract<FaultAction, { kind: 'status' }>): StatusError {
  const given = (typeof body === 'object' && body !== null ? body : {}) as { message?: string; reason?: string };
  const retryAfter = Object.entries(headers).find(([name]) => name.toLowerCase() === 'retry-after')?.[1];
  const seconds = retryAfter ?? (status === 429 ? '1' : undefined);
  const reason = given.reason ?? reasons[status] ?? 'InternalError';
  return new StatusError({
    code: status,
    reason,
    message: given.message ?? (typeof body === 'string' ? body : `${reason}: a fault of the landscape`),
    ...(seconds === undefined ? {} : { details: { retryAfterSeconds: Number(seconds) } }),
  });
}
