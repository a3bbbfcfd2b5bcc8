import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after } from 'node:test';
import { Agent, type Dispatcher, request } from 'undici';
import type { KubeObject } from '../../../landscape/kubernetes/resource-type.ts';
import { type Landscape, startLandscape } from '../../../landscape/landscape.ts';
import { Secret } from '../../../src/domain/secret.ts';
import { kubernetesClient } from '../../../src/kubernetes/client.ts';
import { parseKubeconfig } from '../../../src/kubernetes/kubeconfig.ts';
import type { KubernetesClient, ObjectReference } from '../../../src/kubernetes/kubernetes-client.ts';
import { eventually } from '../../harness/eventually.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';

export const shootKind = { apiVersion: 'core.gardener.cloud/v1beta1', plural: 'shoots', namespaced: true } as const;

export function shootReference(name: string): ObjectReference {
  return { ...shootKind, name, namespace: 'garden-dev' };
}

interface GraphqlAnswer {
  readonly status: number;
  readonly data: Record<string, Record<string, unknown>> | null;
  readonly errors: readonly { message: string; extensions?: { error_code?: number; error?: string } }[];
}

/** A landscape for the tests of one file, with clients for it; all of it stops after the file's tests. */
export async function startWorld() {
  const directory = temporaryFolder();
  const landscape = await startLandscape({ directory, pace: 'instant' });
  const authority = readFileSync(path.join(directory, 'ca.crt'), 'utf8');
  const agent = new Agent({ connect: { ca: authority } });
  const clients: KubernetesClient[] = [];
  const client = (kubeconfig: string, context?: string) => {
    const text = new Secret(kubeconfig);
    const connection = parseKubeconfig({ text, source: 'test', ...(context === undefined ? {} : { context }) });
    const made = kubernetesClient({ connection, fieldManager: 'test' });
    clients.push(made);
    return made;
  };
  const file = (name: string) => path.join(directory, name);
  const garden = client(readFileSync(file('garden.kubeconfig'), 'utf8'));
  after(async () => {
    await Promise.all(clients.map((one) => one.close()));
    await agent.close();
    await landscape.stop();
  });

  const world = {
    landscape,
    directory,
    file,
    garden,
    client,
    agent,
    /** The Shoot's kubeconfig as Gardener answers it. */
    async kubeconfig(name: string, role: 'admin' | 'viewer' = 'admin', expirationSeconds = 3600): Promise<string> {
      const kind = role === 'admin' ? 'AdminKubeconfigRequest' : 'ViewerKubeconfigRequest';
      const body = { apiVersion: 'authentication.gardener.cloud/v1alpha1', kind, spec: { expirationSeconds } };
      const answer = await garden.createSubresource(shootReference(name), `${role}kubeconfig`, body);
      const { status } = answer as { status: { kubeconfig: string } };
      return Buffer.from(status.kubeconfig, 'base64').toString();
    },
    async createShoot(shoot: KubeObject): Promise<void> {
      await garden.create(shootKind, shoot as Parameters<KubernetesClient['create']>[1]);
    },
    shoot: (name: string) => garden.get(shootReference(name)) as Promise<KubeObject | undefined>,
    /** Waits for `Create Succeeded` and the like. */
    reaches: (name: string, operation: string) =>
      eventually(`Shoot ${name} to reach ${operation}`, async () => {
        const last = (await world.shoot(name))?.status?.lastOperation;
        return last && `${last.type} ${last.state}` === operation ? last : undefined;
      }),
    accessToken: () => accessToken(landscape, agent),
    async director(call: {
      tenant?: string;
      query: string;
      variables?: object;
      token?: string;
    }): Promise<GraphqlAnswer> {
      const { tenant = 'demo', query, variables } = call;
      const token = call.token ?? (await world.accessToken());
      return graphql(
        agent,
        landscape.addresses.director,
        { query, variables },
        {
          authorization: `Bearer ${token}`,
          ...(tenant === '' ? {} : { tenant }),
        },
      );
    },
    connector: (token: string, query: string, variables?: object) =>
      graphql(agent, landscape.addresses.connector, { query, variables }, { 'connector-token': token }),
  };
  return world;
}

async function accessToken(landscape: Landscape, agent: Agent): Promise<string> {
  const { client_id, client_secret, tokens_endpoint } = landscape.control.credentials();
  const answer = await request(tokens_endpoint, {
    dispatcher: agent,
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials&scope=runtime%3Aread+runtime%3Awrite',
  });
  const { access_token } = (await answer.body.json()) as { access_token: string };
  return access_token;
}

async function graphql(
  dispatcher: Dispatcher,
  url: string,
  body: object,
  headers: Record<string, string>,
): Promise<GraphqlAnswer> {
  const answer = await request(url, {
    dispatcher,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const parsed = (await answer.body.json()) as Partial<GraphqlAnswer>;
  return { status: answer.statusCode, data: parsed.data ?? null, errors: parsed.errors ?? [] };
}
