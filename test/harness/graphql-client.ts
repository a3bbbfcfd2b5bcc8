/** What the API answered; `errors` is empty when there were none. */
export interface GraphqlAnswer<Data> {
  readonly status: number;
  readonly data: Data | null;
  readonly errors: readonly GraphqlError[];
}

export interface GraphqlError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: Readonly<Record<string, unknown>>;
}

export interface GraphqlClient {
  /** Answers errors too. */
  send<Data>(document: string, variables?: Readonly<Record<string, unknown>>): Promise<GraphqlAnswer<Data>>;
  /** Answers the data, and throws when there is any error. */
  ask<Data>(document: string, variables?: Readonly<Record<string, unknown>>): Promise<Data>;
}

/** Speaks to one GraphQL endpoint as one tenant. No header is sent for what is not given. */
export function graphqlClient({
  endpoint,
  tenant,
  subAccount,
}: {
  endpoint: string;
  tenant?: string;
  subAccount?: string;
}): GraphqlClient {
  const headers = {
    'content-type': 'application/json',
    ...(tenant === undefined ? {} : { tenant }),
    ...(subAccount === undefined ? {} : { 'sub-account': subAccount }),
  };
  const send = async <Data>(query: string, variables: Readonly<Record<string, unknown>> = {}) => {
    const response = await fetch(endpoint, { method: 'POST', headers, body: JSON.stringify({ query, variables }) });
    const { data = null, errors = [] } = (await response.json()) as { data?: Data | null; errors?: GraphqlError[] };
    return { status: response.status, data, errors };
  };
  const ask = async <Data>(document: string, variables?: Readonly<Record<string, unknown>>) => {
    const { data, errors } = await send<Data>(document, variables);
    if (data === null || errors.length > 0) throw new Error(`GraphQL errors: ${JSON.stringify(errors, undefined, 2)}`);
    return data;
  };
  return { send, ask };
}
