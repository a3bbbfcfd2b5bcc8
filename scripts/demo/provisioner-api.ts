import { request } from 'undici';

/** The demo's own small GraphQL client: plain HTTP, as any caller would do it. */
export interface ProvisionerApi {
  readonly endpoint: string;
  readonly tenant: string;
}

export interface OperationStatus {
  readonly id: string;
  readonly runtimeID: string;
  readonly state: 'Pending' | 'InProgress' | 'Succeeded' | 'Failed';
  readonly stage: string;
  readonly message: string;
  readonly progress: number | null;
  readonly lastError: { readonly errMessage: string; readonly reason: string };
}

export interface RuntimeStatus {
  readonly lastOperationStatus: { readonly operation: string; readonly state: string };
  readonly runtimeConnectionStatus: { readonly status: string };
  readonly runtimeConfiguration: {
    readonly kubeconfig: string;
    readonly clusterConfig: { readonly name: string; readonly region: string; readonly kubernetesVersion: string };
  };
}

/** Throws with the API's own words when it refuses. */
export async function call<Data>(api: ProvisionerApi, query: string, variables: object = {}): Promise<Data> {
  const { statusCode, body } = await request(api.endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json', tenant: api.tenant },
    body: JSON.stringify({ query, variables }),
  });
  const answer = (await body.json()) as { data?: Data; errors?: readonly { message: string }[] };
  if (answer.errors) throw new Error(answer.errors.map((error) => error.message).join('\n'));
  if (!answer.data) throw new Error(`the API answered ${statusCode} without data`);
  return answer.data;
}

/** Calls `onChange` whenever stage, message or progress differ from the last look; ends with the operation. */
export async function followOperation(
  api: ProvisionerApi,
  id: string,
  onChange: (status: OperationStatus) => void,
): Promise<OperationStatus> {
  const query = `query ($id: String!) { runtimeOperationStatus(id: $id) {
    id runtimeID state stage message progress lastError { errMessage reason } } }`;
  let shown = '';
  for (;;) {
    const { runtimeOperationStatus: status } = await call<{ runtimeOperationStatus: OperationStatus }>(api, query, {
      id,
    });
    const text = JSON.stringify([status.stage, status.message, status.progress]);
    if (text !== shown) onChange(status);
    shown = text;
    if (status.state === 'Succeeded' || status.state === 'Failed') return status;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
