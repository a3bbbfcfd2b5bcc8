import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, fetch } from 'undici';
import { KubernetesApi, type KubernetesApiOptions } from '../../../landscape/kubernetes/kubernetes-api.ts';
import {
  type KubernetesServer,
  type KubernetesServerOptions,
  startKubernetesServer,
} from '../../../landscape/kubernetes/kubernetes-server.ts';
import { createCertificateAuthority } from '../../../landscape/tls/certificate-authority.ts';
import { gadgetType } from './gadget-type.ts';

/** The loosely typed body of an answer: tests look into it and fail where it is not what they expect. */
// biome-ignore lint/suspicious/noExplicitAny: answers have any shape
export type Body = any;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

export interface RequestOptions {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly contentType?: string;
}

export interface WatchOptions {
  readonly signal?: AbortSignal;
  readonly headers?: Record<string, string>;
}

/** One API named `garden` behind a real TLS listener, and ways to talk to it. */
export interface TestServer {
  readonly api: KubernetesApi;
  readonly server: KubernetesServer;
  /** As administrator, with a bearer token; `path` is below the API. */
  request(path: string, options?: RequestOptions): Promise<Answer>;
  /** The lines of a watch as they come, until the stream ends or the caller stops. */
  watch(path: string, options?: WatchOptions): AsyncGenerator<Body>;
  kubectl(args: readonly string[], input?: string): Promise<string>;
  readonly kubeconfigPath: string;
  readonly kubeconfig: string;
  readonly dispatcher: Agent;
  close(): Promise<void>;
}

export async function startTestServer({
  api: apiOptions = {},
  server: serverOptions = {},
}: {
  api?: Partial<KubernetesApiOptions>;
  server?: Partial<KubernetesServerOptions>;
} = {}): Promise<TestServer> {
  const authority = createCertificateAuthority({ name: 'test' });
  const api = new KubernetesApi({ name: 'garden', types: [gadgetType], establishDelayMilliseconds: 5, ...apiOptions });
  const server = await startKubernetesServer({ port: 0, authority, apis: [api], ...serverOptions });
  const token = api.tokens.issue({ user: { name: 'admin', groups: ['system:masters'] } });
  const dispatcher = new Agent({ connect: { ca: authority.certificate } });
  const folder = await mkdtemp(join(tmpdir(), 'kubernetes-api-'));
  const kubeconfigPath = join(folder, 'kubeconfig');
  const { kubeconfig } = server.issueKubeconfig({
    api: 'garden',
    user: 'admin',
    groups: ['system:masters'],
    lifetimeSeconds: 3600,
    namespace: 'default',
  });
  await writeFile(kubeconfigPath, kubeconfig);

  const request = async (path: string, options: RequestOptions = {}): Promise<Answer> => {
    const { method = 'GET', body, headers = {}, contentType = 'application/json' } = options;
    const response = await fetch(`${server.urlOf('garden')}${path}`, {
      method,
      dispatcher,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': contentType }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    return { status: response.status, headers: response.headers as Headers, body: isJson ? JSON.parse(text) : text };
  };

  return {
    api,
    server,
    request,
    kubeconfigPath,
    kubeconfig,
    dispatcher,
    watch: async function* (path, { signal, headers = {} } = {}) {
      const response = await fetch(`${server.urlOf('garden')}${path}`, {
        dispatcher,
        headers: { authorization: `Bearer ${token}`, ...headers },
        // A bound against hanging: no test waits that long for an event.
        signal: AbortSignal.any([AbortSignal.timeout(30_000), ...(signal === undefined ? [] : [signal])]),
      });
      if (response.status !== 200) throw new Error(`watch answered ${response.status}: ${await response.text()}`);
      let rest = '';
      for await (const chunk of response.body ?? []) {
        const lines = (rest + Buffer.from(chunk).toString('utf8')).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) yield JSON.parse(line);
      }
      if (rest !== '') throw new Error(`the stream ended in the middle of an event: ${rest}`);
    },
    kubectl: (args, input) => runKubectl(kubeconfigPath, folder, args, input),
    close: async () => {
      await dispatcher.destroy();
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function runKubectl(
  kubeconfigPath: string,
  folder: string,
  args: readonly string[],
  input: string | undefined,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const environment = { PATH: process.env.PATH ?? '', HOME: folder, KUBECONFIG: kubeconfigPath };
    const child = execFile('kubectl', [...args], { env: environment, timeout: 30_000 }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout + stderr);
      else reject(new Error(`kubectl ${args.join(' ')} failed: ${stderr}${stdout}`));
    });
    child.stdin?.end(input ?? '');
  });
}
