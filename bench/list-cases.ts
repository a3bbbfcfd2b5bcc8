import { call, type ProvisionerApi } from '../scripts/demo/provisioner-api.ts';

export interface ListCase {
  readonly name: string;
  /** `big` unless told. */
  readonly tenant?: string;
  /** Its list is called `page`. */
  readonly query: string;
  readonly variables: object;
}

const runtimes = `query ($filter: RuntimeFilter, $first: Int! = 50, $after: String) {
  page: runtimes(filter: $filter, first: $first, after: $after) {
    nodes { id name labels provider region createdAt lastOperationStatus { operation state message } }
    pageInfo { endCursor hasNextPage } } }`;
const runtimesInFull = `{ page: runtimes(first: 50) { nodes {
  id name description labels createdAt lastOperationStatus { id operation state stage message }
  clusterConfig { name machineType region providerSpecificConfig { ... on GCPProviderConfig { zones } } }
  kymaConfig { version components { component namespace configuration { key value } } } } } }`;
const operations = `query ($filter: OperationFilter, $first: Int! = 50, $after: String) {
  page: operations(filter: $filter, first: $first, after: $after) {
    nodes { id operation state stage runtimeID compassRuntimeID startedAt } pageInfo { endCursor hasNextPage } } }`;
const events = `query ($id: String!) { page: operationEvents(operationID: $id) {
  nodes { sequence at type message } pageInfo { endCursor hasNextPage } } }`;

/** Pages near and far, and filters that match much, little and nothing: the last read all of the tenant's rows. */
export async function listCases(api: ProvisionerApi): Promise<readonly ListCase[]> {
  const { endCursor, id, middle } = await lookUp(api);
  const ofRuntimes = (name: string, filter: object, more: object = {}): ListCase => ({
    ...{ name: `runtimes: ${name}`, query: runtimes, variables: { filter, ...more } },
  });
  const ofOperations = (name: string, filter: object): ListCase => ({
    ...{ name: `operations: ${name}`, query: operations, variables: { filter } },
  });
  return [
    ofRuntimes('first page', {}),
    ofRuntimes('first page of 200', {}, { first: 200 }),
    { name: 'runtimes: first page with all configuration', query: runtimesInFull, variables: {} },
    ofRuntimes('a page in the middle', {}, { after: endCursor }),
    ofRuntimes('also deprovisioned', { includeDeleted: true }),
    { ...ofRuntimes('first page of a small tenant', {}), tenant: 'small-3' },
    ofRuntimes('state Succeeded', { state: 'Succeeded' }),
    ofRuntimes('state Failed', { state: 'Failed' }),
    ofRuntimes('state InProgress', { state: 'InProgress' }),
    ofRuntimes('type Deprovision (none alive)', { operation: 'Deprovision' }),
    ofRuntimes('provider and region', { provider: 'aws', region: 'region-11' }),
    ofRuntimes('unknown region', { region: 'nowhere' }),
    ofRuntimes('Kyma and Kubernetes version', { kymaVersion: '1.7', kubernetesVersion: '1.33' }),
    ofRuntimes('unknown Kubernetes version', { kubernetesVersion: '1.0' }),
    ofRuntimes('unknown provider', { provider: 'nobody' }),
    ofRuntimes('one name', { name: 'runtime-77' }),
    ofRuntimes('common label', { labels: { env: 'prod' } }),
    ofRuntimes('rare label', { labels: { team: 'team-7' } }),
    ofRuntimes('unknown label', { labels: { team: 'nobody' } }),
    ofRuntimes('created before, Failed', { createdBefore: middle, state: 'Failed' }),
    ofOperations('first page', {}),
    ofOperations('of one Runtime', { runtimeID: id }),
    ofOperations('state Failed', { state: 'Failed' }),
    ofOperations('state InProgress', { state: 'InProgress' }),
    ofOperations('unknown stage', { stage: 'Nowhere' }),
    ofOperations('provider and region', { provider: 'aws', region: 'region-11' }),
    ofOperations('Kyma and Kubernetes version', { kymaVersion: '1.7', kubernetesVersion: '1.33' }),
    ofOperations('unknown Kyma version', { kymaVersion: 'nobody' }),
    ofOperations('common label', { labels: { env: 'prod' } }),
    ofOperations('rare label', { labels: { team: 'team-7' } }),
    ofOperations('started before, type Upgrade', { startedBefore: middle, operation: 'Upgrade' }),
    { name: 'operationEvents', query: events, variables: { id: await operationOf(api, id) } },
  ];
}

/** A Runtime in the middle of the list, its cursor, and when it was created. */
async function lookUp(api: ProvisionerApi) {
  interface Page {
    readonly nodes: readonly { readonly id: string; readonly createdAt: string }[];
    readonly pageInfo: { readonly endCursor: string };
  }
  const ask = async (variables: object) => (await call<{ page: Page }>(api, runtimes, variables)).page;
  const [newest] = (await ask({ first: 1 })).nodes;
  const month = 30 * 24 * 60 * 60_000;
  const createdBefore = new Date(Date.parse(newest?.createdAt ?? '') - month).toISOString();
  const { nodes, pageInfo } = await ask({ first: 1, filter: { createdBefore } });
  return { endCursor: pageInfo.endCursor, id: nodes[0]?.id ?? '', middle: createdBefore };
}

async function operationOf(api: ProvisionerApi, runtimeID: string): Promise<string> {
  interface Answer {
    readonly page: { readonly nodes: readonly { readonly id: string }[] };
  }
  const { page } = await call<Answer>(api, operations, { filter: { runtimeID } });
  return page.nodes[0]?.id ?? '';
}
