import type { FormattedExecutionResult } from 'graphql';
import { createClient as createEventStreamClient } from 'graphql-sse';
import { createClient as createWebSocketClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { eventually } from '../../../harness/eventually.ts';

/** An update as the documents below select it. */
export interface SeenUpdate {
  readonly operationID: string;
  readonly runtimeID: string;
  readonly operation: string;
  readonly state: string;
  readonly sequence: number;
  readonly at: string;
  readonly type: string;
  readonly stage: string;
  readonly message: string;
  readonly progress: number | null;
  readonly error: { readonly code: string } | null;
}

const fields = 'operationID runtimeID operation state sequence at type stage message progress error { code }';

export const operationUpdatesDocument = `subscription ($operationID: String!, $after: Int! = 0) {
  operationUpdates(operationID: $operationID, after: $after) { ${fields} }
}`;

export const runtimeUpdatesDocument = `subscription ($runtimeID: String, $after: String) {
  runtimeUpdates(runtimeID: $runtimeID, after: $after) { cursor update { ${fields} } }
}`;

export const transports = ['graphql-ws', 'graphql-sse'] as const;
export type Transport = (typeof transports)[number];

export interface Subscribed<Data> {
  /** The data of what has arrived so far. */
  readonly data: readonly Data[];
  readonly errors: readonly NonNullable<FormattedExecutionResult['errors']>[number][];
  /** `complete`, or the error that the client's library told; undefined while it is subscribed. */
  readonly end: { readonly kind: 'complete' } | { readonly kind: 'failed'; readonly error: unknown } | undefined;
  /** Waits for so many. */
  has(count: number): Promise<readonly Data[]>;
  ended(): Promise<NonNullable<Subscribed<Data>['end']>>;
  /** Leaves, as a client does that wants no more. */
  leave(): void;
}

export interface Subscription {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
}

/** A subscription by the real client of the protocol, on a connection of its own. It is not made again by itself. */
export function subscribe<Data>({
  transport,
  endpoint,
  tenant = 'tenant-a',
  onData,
  ...subscription
}: Subscription & {
  readonly transport: Transport;
  readonly endpoint: string;
  /** Null: none is named. */
  readonly tenant?: string | null;
  readonly onData?: (data: Data) => void;
}): Subscribed<Data> {
  const data: Data[] = [];
  const errors: NonNullable<FormattedExecutionResult['errors']>[number][] = [];
  let end: Subscribed<Data>['end'];
  const sink = {
    next: (result: { data?: unknown; errors?: unknown }) => {
      if (Array.isArray(result.errors)) errors.push(...result.errors);
      if (result.data === undefined || result.data === null) return;
      data.push(result.data as Data);
      onData?.(result.data as Data);
    },
    error: (error: unknown) => {
      if (Array.isArray(error)) errors.push(...error);
      end = { kind: 'failed', error };
    },
    complete: () => {
      end ??= { kind: 'complete' };
    },
  };
  const payload = { query: subscription.query, variables: { ...subscription.variables } };
  const client = clientOf({ transport, endpoint, tenant });
  const leave = client.subscribe(payload, sink);
  return {
    data,
    errors,
    get end() {
      return end;
    },
    has: (count) => eventually(`${count} updates, of which ${data.length} came`, () => data.length >= count && data),
    ended: () => eventually('the subscription to end', () => end),
    leave: () => {
      leave();
      void client.dispose();
    },
  };
}

function clientOf({ transport, endpoint, tenant }: { transport: Transport; endpoint: string; tenant: string | null }) {
  const who: Record<string, string> = tenant === null ? {} : { tenant };
  if (transport === 'graphql-sse') {
    return createEventStreamClient({ url: `${endpoint}/stream`, headers: who, retryAttempts: 0 });
  }
  const url = endpoint.replace(/^http/, 'ws');
  return createWebSocketClient({ url, connectionParams: who, retryAttempts: 0, webSocketImpl: WebSocket });
}
