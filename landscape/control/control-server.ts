import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { shootStages } from '../garden/shoot-fates.ts';
import { paceNames } from '../pace.ts';
import { agentFateKinds } from '../runtime-cluster/agent-fates.ts';
import type { Control } from './control.ts';
import { targets } from './faults.ts';

interface Call {
  readonly control: Control;
  /** What the path names after the operation, decoded. */
  readonly name: string | undefined;
  readonly query: URLSearchParams;
  // biome-ignore lint/suspicious/noExplicitAny: a body is JSON of any shape; it is a tool for the people of this machine
  readonly body: any;
}

/** Method and path to what it does; what is undefined is answered as `{}`. */
const operations: Readonly<Record<string, (call: Call) => unknown>> = {
  'GET /': () => ({ operations: Object.keys(operations), targets, paces: paceNames, shootStages }),
  'GET /inventory': ({ control }) => control.inventory(),
  'GET /requests': ({ control, query }) => control.requests(targets.find((target) => target === query.get('target'))),
  'GET /requests/counters': ({ control }) => control.requestCounters(),
  'DELETE /requests': ({ control }) => control.clearRequests(),
  'GET /faults': ({ control }) => control.faults(),
  'POST /faults': ({ control, body }) => ({ id: control.addFault(checkedRule(body)) }),
  'DELETE /faults': ({ control, name }) =>
    name === undefined ? control.clearFaults() : { removed: control.removeFault(name) },
  'GET /fates': ({ control }) => control.shootFates(),
  'PUT /fates': ({ control, name, body }) => control.setShootFate(required(name, 'the Shoot in the path'), body),
  'DELETE /fates': ({ control, name }) => control.liftShootFate(name),
  'GET /brokered-services': ({ control }) => control.brokeredServices(),
  'GET /google-inventory': ({ control }) => control.googleInventory(),
  'GET /gke-fates': ({ control }) => control.gkeFates(),
  'PUT /gke-fates': ({ control, name, body }) => control.setGkeFate(required(name, 'the cluster in the path'), body),
  'DELETE /gke-fates': ({ control, name }) => control.liftGkeFate(name),
  'PUT /agents': ({ control, body }) => control.setAgentFate(checkedAgentFate(body)),
  'DELETE /agents': ({ control }) => control.setAgentFate(undefined),
  'GET /pace': ({ control }) => ({ pace: control.pace }),
  'PUT /pace': ({ control, name }) => {
    control.setPace(
      required(
        paceNames.find((pace) => pace === name),
        `one of ${paceNames.join(', ')} in the path`,
      ),
    );
  },
  'POST /watches/drop': ({ control, query }) => control.dropWatches(query.get('api') ?? undefined),
  'POST /watches/expire': ({ control, query }) => control.expireWatches(query.get('api') ?? undefined),
  'POST /oauth/revoke': ({ control }) => control.revokeAccessTokens(),
  'PUT /oauth/lifetime': ({ control, name }) =>
    control.setAccessTokenLifetime(Number(required(name, 'seconds in the path'))),
  'POST /artifacts/corrupt': ({ control, query }) => ({ found: control.corruptArtifact(query.get('path') ?? '') }),
};

class BadCall extends Error {}

/** The control API: plain HTTP and JSON, for this machine only. */
export async function startControlServer({ port, control }: { port: number; control: Control }) {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { status, body } = answer(
        control,
        request.method ?? 'GET',
        request.url ?? '/',
        Buffer.concat(chunks).toString(),
      );
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(`${JSON.stringify(body, null, 2)}\n`);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function answer(control: Control, method: string, url: string, text: string): { status: number; body: unknown } {
  const { pathname, searchParams: query } = new URL(url, 'http://control');
  const exact = operations[`${method} ${pathname}`];
  const cut = pathname.lastIndexOf('/');
  const operation = exact ?? operations[`${method} ${pathname.slice(0, cut)}`];
  if (!operation)
    return {
      status: 404,
      body: { error: `no such operation: ${method} ${pathname}`, operations: Object.keys(operations) },
    };
  try {
    const name = exact ? undefined : decodeURIComponent(pathname.slice(cut + 1));
    const body = text === '' ? undefined : JSON.parse(text);
    return { status: 200, body: operation({ control, name, query, body }) ?? {} };
  } catch (error) {
    const status = error instanceof BadCall || error instanceof SyntaxError ? 400 : 500;
    return { status, body: { error: error instanceof Error ? error.message : String(error) } };
  }
}

function required<Value>(value: Value | undefined, what: string): Value {
  if (value === undefined) throw new BadCall(`missing: ${what}`);
  return value;
}

function checkedAgentFate(body: Call['body']) {
  if (!agentFateKinds.includes(body?.kind)) throw new BadCall(`kind must be one of ${agentFateKinds.join(', ')}`);
  return body;
}

function checkedRule(body: Call['body']) {
  const kinds = ['delay', 'status', 'drop', 'stall', 'loseReply'];
  if (!kinds.includes(body?.action?.kind)) throw new BadCall(`action.kind must be one of ${kinds.join(', ')}`);
  if (body.target !== undefined && body.target !== 'kubernetes' && !targets.includes(body.target)) {
    throw new BadCall(`target must be one of kubernetes, ${targets.join(', ')}`);
  }
  return body;
}
