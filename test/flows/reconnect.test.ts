import assert from 'node:assert/strict';
import { afterEach, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import type { FaultRule } from '../../landscape/control/faults.ts';
import type { RuntimeId, Tenant } from '../../src/domain/ids.ts';
import type { KubernetesClient, KubernetesObject } from '../../src/kubernetes/kubernetes-client.ts';
import { eventually } from '../harness/eventually.ts';
import { type ControlledOperation, cancelMutation, retryMutation } from './control-documents.ts';
import { hibernateMutation, wakeUpMutation } from './hibernation-documents.ts';
import { orderOf } from './orders.ts';
import { clusterClient, directorOf, openWorld } from './world.ts';

const world = await openWorld();
const { api, control } = world;
const director = directorOf(world);
const call = { tenant: 'tenant-a' as Tenant };
const reconnectMutation = 'mutation ($id: String!) { reconnectRuntimeAgent(id: $id) }';

const connection = {
  apiVersion: 'compass.kyma-project.io/v1alpha1',
  plural: 'compassconnections',
  namespaced: false,
  name: 'compass-connection',
} as const;
const secrets = { apiVersion: 'v1', plural: 'secrets', namespaced: true, namespace: 'kyma-system' } as const;
const deployment = {
  apiVersion: 'apps/v1',
  plural: 'deployments',
  namespaced: true,
  namespace: 'kyma-system',
  name: 'compass-runtime-agent',
} as const;

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
  name: 'compassconnections.compass.kyma-project.io',
} as const;

afterEach(() => {
  control.clearFaults();
  control.setAgentFate(undefined);
  control.liftShootFate();
});

interface Connected {
  readonly id: string;
  readonly cluster: KubernetesClient;
}

async function connected(): Promise<Connected> {
  const { id, runtimeID } = await world.provision(orderOf());
  await world.succeeded(id);
  const { runtimeConnectionConfig } = await world.runtime(runtimeID);
  return { id: runtimeID, cluster: clusterClient(runtimeConnectionConfig.kubeconfig) };
}

async function reconnect(id: string): Promise<string> {
  return (await api.ask<{ reconnectRuntimeAgent: string }>(reconnectMutation, { id })).reconnectRuntimeAgent;
}

async function refusal(id: string, caller = api) {
  const { errors } = await caller.send(reconnectMutation, { id });
  return { code: errors[0]?.extensions?.code, message: errors[0]?.message ?? '' };
}

/** By what one connection is told from another. */
async function identity(cluster: KubernetesClient) {
  const [found, certificates] = await Promise.all([
    cluster.get(connection),
    cluster.get({ ...secrets, name: 'cluster-client-certificates' }),
  ]);
  const data = certificates?.data as { crt: string } | undefined;
  return { uid: found?.metadata.uid, state: stateOf(found), certificate: data?.crt };
}

function stateOf(found: KubernetesObject | undefined): string | undefined {
  return (found?.status as { connectionState?: string } | undefined)?.connectionState;
}

async function assertAnew(before: Awaited<ReturnType<typeof identity>>, { id, cluster }: Connected): Promise<void> {
  const after = await identity(cluster);
  assert.equal(after.state, 'Synchronized');
  assert.notEqual(after.certificate, before.certificate);
  assert.equal((await world.runtime(id)).runtimeConnectionStatus.status, 'Connected');
  assert.equal(entryOf(id)?.condition, 'CONNECTED');
}

async function connectionOf(id: string) {
  return (await world.runtime(id)).runtimeConnectionStatus;
}

async function nameOf(id: string): Promise<string> {
  return (await world.runtime(id)).runtimeConfiguration.clusterConfig.name;
}

function entryOf(id: string) {
  return control.inventory().directorRuntimes.find((entry) => entry.id === id);
}

function tokensAreBurned(count?: number): string {
  const result = { token: 'burned', connectorURL: world.landscape.addresses.connector };
  return control.addFault({
    ...{ target: 'director', body: 'requestOneTimeToken', ...(count !== undefined && { count }) },
    action: { kind: 'status', status: 200, body: { data: { result } } },
  });
}

describe('a connected Runtime Agent', () => {
  let runtime: Connected;
  before(async () => {
    runtime = await connected();
  });

  test('connects anew, with another certificate, and the operation says so', async () => {
    const before = await identity(runtime.cluster);
    const tokens = entryOf(runtime.id)?.systemAuths ?? 0;
    const operationId = await reconnect(runtime.id);
    const { operation, runtimeID } = await world.succeeded(operationId);
    assert.deepEqual([operation, runtimeID], ['ReconnectRuntime', runtime.id]);
    await assertAnew(before, runtime);
    assert.notEqual((await identity(runtime.cluster)).uid, before.uid);
    assert.equal(entryOf(runtime.id)?.systemAuths, tokens + 1, 'one token was enough');
    const timeline = await world.timeline(operationId);
    assert.deepEqual(
      timeline.filter(({ type }) => type === 'StageDone').map(({ stage }) => stage),
      ['CheckingConnection', 'ConfiguringAgent', 'TriggeringReconnect', 'WaitForAgentToConnect'],
    );
    assert.equal(timeline[0]?.message, 'Reconnecting the Runtime Agent started');
    const { rows } = await sql`SELECT notes::text FROM operation WHERE id = ${operationId}`.execute(
      world.stored.kysely,
    );
    const configuration = await runtime.cluster.get({ ...secrets, name: 'compass-agent-configuration' });
    const { TOKEN = '' } = (configuration?.data ?? {}) as { TOKEN?: string };
    assert.ok(TOKEN);
    assert.ok(!JSON.stringify(rows).includes(Buffer.from(TOKEN, 'base64').toString()), 'a token was noted down');
  });

  test('that is gone from the cluster, with its kind, or with its connection to the provider, is refused at once', async () => {
    const { id, cluster } = runtime;
    const before = await identity(cluster);
    control.addFault({ target: 'cluster', action: { kind: 'drop' } });
    assert.deepEqual(await refusal(id), {
      code: 'CLUSTER_UNREACHABLE',
      message: `cluster ${await nameOf(id)} does not answer; nothing was started, try again later`,
    });
    control.clearFaults();
    const stranger = await refusal(id, world.as({ tenant: 'tenant-b' }));
    assert.equal(stranger.code, 'NOT_FOUND');

    await cluster.delete(definition);
    await eventually('the kind to be gone', async () => (await cluster.get(definition)) === undefined);
    assert.match((await refusal(id)).message, /does not serve the kind CompassConnection/);
    await cluster.delete(deployment);
    const missing = await refusal(id);
    assert.equal(missing.code, 'NOT_RECONNECTABLE');
    assert.match(
      missing.message,
      /no Runtime Agent in the cluster: Deployment kyma-system\/compass-runtime-agent does not/,
    );
    assert.equal((await identity(cluster)).certificate, before.certificate);
    await world.succeeded(await world.deprovision(id));
    assert.equal((await refusal(id)).code, 'NOT_FOUND');
  });
});

test('Runtimes without an agent to connect are refused, with the reason', async () => {
  const bare = await world.provision(orderOf({ kymaConfig: null }));
  await world.succeeded(bare.id);
  assert.deepEqual(await refusal(bare.runtimeID), {
    code: 'NOT_RECONNECTABLE',
    message: 'the Runtime Agent cannot be connected anew: the Runtime has no Kyma, and so no Runtime Agent',
  });
  const { id } = await connected();
  await director.unregister(id as RuntimeId, call);
  const unknown = await refusal(id);
  assert.equal(unknown.code, 'DIRECTOR_RUNTIME_NOT_FOUND');
  assert.match(unknown.message, /so that it gives no token for it$/);
});

test('a hibernated Runtime is refused, and reconnected once it is awake', async () => {
  const { id } = await connected();
  const { hibernateRuntime } = await api.ask<{ hibernateRuntime: { id: string } }>(hibernateMutation, { id });
  assert.equal((await refusal(id)).code, 'OPERATION_IN_PROGRESS');
  await world.succeeded(hibernateRuntime.id);
  const { code, message } = await refusal(id);
  assert.equal(code, 'HIBERNATED');
  assert.match(message, /is hibernated, and its Runtime Agent with it; wake it up first$/);
  const { wakeUpRuntime } = await api.ask<{ wakeUpRuntime: { id: string } }>(wakeUpMutation, { id });
  await world.succeeded(wakeUpRuntime.id);
  await world.succeeded(await reconnect(id));
});

describe('whatever state a connection is in', () => {
  let runtime: Connected;
  before(async () => {
    runtime = await connected();
  });

  const states: { name: string; break: () => Promise<void>; state: string; tokens: number }[] = [
    {
      name: 'an exchange that failed is repeated with a good token, and its connection is not ended for that',
      state: 'ConnectionFailed',
      break: async () => {
        // The token of its configuration was used long ago.
        await runtime.cluster.delete(connection);
      },
      tokens: 1,
    },
    {
      name: 'a connection that the Connector does not trust any more is replaced',
      state: 'ConnectionMaintenanceFailed',
      break: async () => {
        control.revokeSystemAuths(runtime.id);
        await runtime.cluster.patch(connection, { spec: { resyncNow: true } });
      },
      tokens: 1,
    },
  ];

  for (const { name, break: breakIt, state, tokens } of states) {
    test(name, async () => {
      await breakIt();
      await eventually(state, async () => (await identity(runtime.cluster)).state === state);
      const given = entryOf(runtime.id)?.systemAuths ?? 0;
      const before = await identity(runtime.cluster);
      await world.succeeded(await reconnect(runtime.id));
      await assertAnew(before, runtime);
      assert.equal((await identity(runtime.cluster)).uid === before.uid, state === 'ConnectionFailed');
      assert.equal(entryOf(runtime.id)?.systemAuths, given + tokens);
    });
  }

  test('an agent that cannot start for want of its certificate is healed', async () => {
    const before = await identity(runtime.cluster);
    await runtime.cluster.delete({ ...secrets, name: 'cluster-client-certificates' });
    await runtime.cluster.patch(connection, { spec: { resyncNow: true } });
    await eventually('the crash', async () => {
      const found = await runtime.cluster.get(deployment);
      return (found?.status as { availableReplicas?: number } | undefined)?.availableReplicas === 0;
    });
    await world.succeeded(await reconnect(runtime.id));
    await assertAnew(before, runtime);
  });

  test('a token that was burned is replaced by another one', async () => {
    const before = await identity(runtime.cluster);
    tokensAreBurned(1);
    const id = await reconnect(runtime.id);
    await world.succeeded(id);
    await assertAnew(before, runtime);
    const messages = (await world.timeline(id)).map(({ message }) => message);
    assert.ok(
      messages.some((message) =>
        /gets its token number 2 of 3; the one before failed: .*invalid, used or/.test(message),
      ),
      messages.join('\n'),
    );
  });

  test('an agent that loses what it got for its token gets another one', async () => {
    const before = await identity(runtime.cluster);
    control.setAgentFate({ kind: 'forgets' });
    await world.succeeded(await reconnect(runtime.id));
    await assertAnew(before, runtime);
  });

  test('after three tokens in vain it fails with the words of the agent; a retry gives it three more', async () => {
    const before = await identity(runtime.cluster);
    const fault = tokensAreBurned();
    const { id, stage, lastError } = await world.failed(await reconnect(runtime.id));
    assert.equal(stage, 'WaitForAgentToConnect');
    assert.deepEqual(
      [lastError?.code, lastError?.actor, lastError?.component, lastError?.retryable],
      ['AGENT_CONNECTION_FAILED', 'operator', 'compass connection', true],
    );
    assert.match(
      lastError?.errMessage ?? '',
      /^the Runtime Agent did not connect with any of 3 new tokens; it says: .*token is invalid, used or expired/,
    );
    assert.equal(control.faults()[0]?.hits, 3);
    assert.equal(entryOf(runtime.id)?.condition, 'FAILED');
    control.removeFault(fault);
    const { retryOperation } = await api.ask<{ retryOperation: ControlledOperation }>(retryMutation, { id });
    assert.deepEqual([retryOperation.operation, retryOperation.stage], ['ReconnectRuntime', 'WaitForAgentToConnect']);
    await world.succeeded(retryOperation.id);
    await assertAnew(before, runtime);
  });

  test('a connection that is there, but cannot synchronise, is one, with a warning', async () => {
    for (const state of ['SynchronizationFailed', 'MetadataUpdateFailed'] as const) {
      control.setAgentFate({ kind: 'synchronizationFails', state, error: 'no route to the Director' });
      const id = await reconnect(runtime.id);
      await world.succeeded(id);
      const done = (await world.timeline(id)).findLast(({ type }) => type === 'StageDone');
      const message = `Runtime Agent is connected anew, but its last synchronisation failed (${state}): no route to the Director`;
      assert.equal(done?.message, message);
      const found = await runtime.cluster.get(connection);
      const { resyncNow = false } = (found?.spec ?? {}) as { resyncNow?: boolean };
      assert.ok(!resyncNow, 'it is not kept from its pauses');
    }
    control.setAgentFate({ kind: 'synchronizationFails', state: 'ResourceApplicationFailed', error: 'no space' });
    const id = await reconnect(runtime.id);
    await world.reaches(id, 'the pause for it', ({ message }) =>
      message.endsWith('(ResourceApplicationFailed): no space'),
    );
    control.setAgentFate(undefined);
    await runtime.cluster.patch(connection, { spec: { resyncNow: true } });
    await world.succeeded(id);
  });

  test('an agent that is slow to synchronise is hurried, and not any more once that fails', async () => {
    // From here on, the test is the agent.
    control.setAgentFate({ kind: 'crashes' });
    const id = await reconnect(runtime.id);
    const { cluster } = runtime;
    await eventually('the old connection to be gone', async () => (await cluster.get(connection)) === undefined);
    const metadata = { name: 'compass-connection' };
    const { namespaced: _, plural, apiVersion, name: __ } = connection;
    const kind = { apiVersion, plural, namespaced: false };
    const statusOf = (connectionState: string) => ({
      status: { connectionState, connectionStatus: { established: new Date().toISOString() } },
    });
    await cluster.create(kind, { apiVersion, kind: 'CompassConnection', metadata, spec: {}, ...statusOf('Connected') });
    const unproven = 'Runtime Agent says that it is connected, with its old certificate';
    await world.reaches(id, 'the wait for a proof', ({ message }) => message === unproven);
    const crt = Buffer.from('another certificate').toString('base64');
    await cluster.patch({ ...secrets, name: 'cluster-client-certificates' }, { data: { crt } });
    const hurried = async () => {
      const found = await cluster.get(connection);
      return (found?.spec as { resyncNow?: boolean } | undefined)?.resyncNow;
    };
    await eventually('the agent to be hurried', async () => (await hurried()) === true);
    await cluster.patch(connection, statusOf('SynchronizationFailed'));
    await world.succeeded(id);
    assert.equal(await hurried(), false);
    control.setAgentFate(undefined);
    await world.succeeded(await reconnect(runtime.id));
  });

  test('an agent that crashes is told of while it is waited for, also by the status of the Runtime', async () => {
    control.setAgentFate({ kind: 'crashes', exitCode: 2, message: 'panic: no kubeconfig' });
    await eventually('the crash', async () => (await connectionOf(runtime.id)).errors !== null);
    const trouble =
      'its Deployment kyma-system/compass-runtime-agent is not available: CrashLoopBackOff after 7 restarts, exit code 2: panic: no kubeconfig';
    assert.deepEqual(await connectionOf(runtime.id), {
      status: 'Connected',
      errors: [{ message: `Runtime Agent was connected, but does not run now: ${trouble}` }],
    });
    const id = await reconnect(runtime.id);
    await world.reaches(id, 'the crash', ({ message }) => message === `Runtime Agent is connecting anew; ${trouble}`);
    control.setAgentFate(undefined);
    await world.succeeded(id);
  });
});

describe('with an outside world that fails', () => {
  let runtime: Connected;
  before(async () => {
    runtime = await connected();
  });

  test('every reply may be lost once: one connection is ended and one is made', async () => {
    const before = await identity(runtime.cluster);
    const rules: Omit<FaultRule, 'action' | 'count'>[] = [
      { target: 'director', body: 'requestOneTimeToken' },
      { target: 'cluster', method: 'PATCH', path: 'secrets/compass-agent-configuration' },
      { target: 'cluster', method: 'DELETE', path: 'compassconnections' },
      { target: 'director', body: 'updateRuntime' },
    ];
    for (const rule of rules) control.addFault({ ...rule, count: 1, action: { kind: 'loseReply' } });
    await world.succeeded(await reconnect(runtime.id));
    assert.deepEqual(
      control.faults().map(({ hits }) => hits),
      rules.map(() => 1),
    );
    await assertAnew(before, runtime);
  });

  test('a connection that is lost at once costs one more token, however often its end is refused', async () => {
    const { id, cluster } = runtime;
    const before = await identity(cluster);
    const report = control.addFault(unavailable({ target: 'director', body: 'updateRuntime' }));
    const operationId = await reconnect(id);
    await world.reaches(operationId, 'the report', (seen) => /updateRuntime/.test(seen.lastError?.errMessage ?? ''));
    control.revokeSystemAuths(id);
    control.addFault({ ...unavailable({ target: 'cluster', method: 'DELETE', path: 'compassconnections' }), count: 3 });
    await cluster.patch(connection, { spec: { resyncNow: true } });
    await eventually('all refusals', () => control.faults().some(({ hits }) => hits === 3));
    control.removeFault(report);
    await world.succeeded(operationId);
    await assertAnew(before, runtime);
    assert.equal(entryOf(id)?.systemAuths, 1, 'of those that were given since the loss');
  });

  test('a Director that is down delays it, and it says so', async () => {
    const before = await identity(runtime.cluster);
    control.addFault({ target: 'director', action: { kind: 'status', status: 503 } });
    const id = await reconnect(runtime.id);
    const { stage, lastError } = await world.reaches(id, 'trouble', (seen) => seen.lastError !== null);
    assert.equal(stage, 'CheckingConnection');
    assert.match(lastError?.errMessage ?? '', /the Director answered runtime with HTTP 503/);
    assert.deepEqual(await identity(runtime.cluster), before);
    control.clearFaults();
    await world.succeeded(id);
    await assertAnew(before, runtime);
  });

  const holds: { stage: string; rule: FaultRule; left: string[]; condition: string }[] = [
    { stage: 'CheckingConnection', rule: unavailable({ target: 'director' }), left: [], condition: 'CONNECTED' },
    {
      stage: 'ConfiguringAgent',
      rule: unavailable({ target: 'director', body: 'requestOneTimeToken' }),
      left: ['Runtime Agent: connected as before; its configuration may hold a new token, which it does not need'],
      condition: 'CONNECTED',
    },
    {
      stage: 'TriggeringReconnect',
      rule: unavailable({ target: 'cluster', method: 'DELETE', path: 'compassconnections' }),
      left: ['Runtime Agent: connected as before; its configuration may hold a new token, which it does not need'],
      condition: 'CONNECTED',
    },
    {
      stage: 'WaitForAgentToConnect',
      rule: unavailable({ target: 'director', body: 'updateRuntime' }),
      left: ['Runtime Agent: connected anew'],
      condition: 'CONNECTED',
    },
  ];
  for (const { stage, rule, left, condition } of holds) {
    test(`cancelled in ${stage}, it says what is left, and a retry goes on`, async () => {
      const before = await identity(runtime.cluster);
      control.addFault(rule);
      const id = await reconnect(runtime.id);
      await world.reaches(id, stage, (seen) => seen.stage === stage && seen.lastError !== null);
      control.clearFaults();
      control.addFault(rule);
      const { cancelOperation } = await api.ask<{ cancelOperation: ControlledOperation }>(cancelMutation, { id });
      const lines = cancelOperation.cancellation?.residue ?? [];
      assert.deepEqual(
        lines.filter((line) => line.startsWith('Runtime Agent')),
        left,
      );
      assert.match(lines.join('\n'), /^cluster .*: Shoot is ready$/m);
      assert.equal(entryOf(runtime.id)?.condition, condition);
      control.clearFaults();
      const { retryOperation } = await api.ask<{ retryOperation: ControlledOperation }>(retryMutation, { id });
      await world.succeeded(retryOperation.id);
      await assertAnew(before, runtime);
    });
  }
});

function unavailable(rule: Omit<FaultRule, 'action'>): FaultRule {
  return { ...rule, action: { kind: 'status', status: 503 } };
}
