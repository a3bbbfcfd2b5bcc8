import assert from 'node:assert/strict';
import { deprovisionMutation, type OperationAnswer, operationQuery, provisionMutation } from '../../flows/documents.ts';
import { type Changes, orderOf } from '../../flows/orders.ts';
import { eventually } from '../../harness/eventually.ts';
import { type GraphqlAnswer, type GraphqlClient, graphqlClient } from '../../harness/graphql-client.ts';

export interface Accepted {
  readonly id: string;
  readonly runtimeID: string;
}

/** Somebody of tenant-a who speaks to one replica. */
export interface Caller {
  readonly api: GraphqlClient;
  /** Answers errors, too. */
  send(changes?: Changes): Promise<GraphqlAnswer<{ provisionRuntime: Accepted }>>;
  provision(changes?: Changes): Promise<Accepted>;
  /** Answers the operation's id. */
  deprovision(runtimeId: string): Promise<string>;
  operation(id: string): Promise<OperationAnswer>;
  /** Waits until the operation has reached the stage. */
  reaches(id: string, stage: string): Promise<OperationAnswer>;
  /** Waits until the operation has ended, and insists on success. */
  succeeded(id: string): Promise<OperationAnswer>;
}

const patience = { within: 120_000, every: 50 };

export function caller(endpoint: string): Caller {
  const api = graphqlClient({ endpoint, tenant: 'tenant-a' });
  const send: Caller['send'] = (changes) => api.send(provisionMutation, { config: orderOf(changes) });
  const operation: Caller['operation'] = async (id) =>
    (await api.ask<{ runtimeOperationStatus: OperationAnswer }>(operationQuery, { id })).runtimeOperationStatus;
  const follow = async (id: string, what: string, matches: (seen: OperationAnswer) => boolean) => {
    let seen: OperationAnswer | undefined;
    const look = async () => {
      seen = await operation(id);
      return matches(seen) && seen;
    };
    return eventually(`operation ${id} to reach ${what}`, look, patience).catch((error) => {
      throw new Error(`${error.message}; it is ${JSON.stringify(seen)}`, { cause: error });
    });
  };
  return {
    ...{ api, send, operation },
    async provision(changes) {
      const { data, errors } = await send(changes);
      assert.ok(data?.provisionRuntime, JSON.stringify(errors));
      return data.provisionRuntime;
    },
    async deprovision(id) {
      return (await api.ask<{ deprovisionRuntime: string }>(deprovisionMutation, { id })).deprovisionRuntime;
    },
    reaches: (id, stage) => follow(id, stage, (seen) => seen.stage === stage),
    async succeeded(id) {
      const ended = await follow(id, 'its end', ({ state }) => state !== 'InProgress');
      assert.equal(ended.state, 'Succeeded', ended.message);
      return ended;
    },
  };
}
