import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dryRunMutation, type PlannedChange, planDeprovisionQuery, planProvisionQuery } from './control-documents.ts';
import { orderOf } from './orders.ts';
import { openWorld } from './world.ts';

const world = await openWorld();
const { control } = world;
const noId = '00000000-0000-0000-0000-000000000000';

interface DryRun {
  readonly provisionRuntime: Readonly<Record<string, unknown>> & {
    readonly plan: { changes: readonly PlannedChange[] };
  };
}

async function planOfDeprovision(id: string, cancelRunning = false): Promise<readonly string[]> {
  const { planDeprovision } = await world.api.ask<{ planDeprovision: { changes: PlannedChange[] } }>(
    planDeprovisionQuery,
    { id, cancelRunning },
  );
  return planDeprovision.changes.map(({ stage, action, to, subject }) => `${stage}: ${action} ${subject} at ${to}`);
}

test('a dry run of provisioning shows what is then sent, and leaves nothing', async () => {
  const name = 'planned';
  const order = orderOf({
    gardenerConfig: { name, oidcConfig: oidc() },
    administrators: ['admin@example.com'],
    runtimeInput: { name: 'demo', labels: { team: 'a' } },
  });
  control.clearRequests();
  const before = await world.rowCounts();
  const { provisionRuntime } = await world.api.ask<DryRun>(dryRunMutation, { config: order });
  const { plan, ...status } = provisionRuntime;
  assert.deepEqual(status, {
    id: '',
    state: 'Pending',
    runtimeID: null,
    compassRuntimeID: null,
    message: 'Dry run: everything was checked, and nothing was stored, registered or created',
  });
  assert.deepEqual(await world.rowCounts(), before);
  assert.deepEqual(control.inventory(), { shoots: [], clusters: [], directorRuntimes: [] });
  const written = control.requests().filter(({ method, path }) => method !== 'GET' && !/dryRun=All|oauth/.test(path));
  assert.deepEqual(written, []);
  assert.ok(control.requests('garden').some(({ path }) => path.includes('dryRun=All')));

  assert.deepEqual(
    plan.changes.map(({ stage, action, to, subject }) => `${stage}: ${action} ${subject} at ${to}`),
    [
      'null: Register Runtime demo at Director',
      ...plan.changes
        .filter(({ subject }) => subject.startsWith('ConfigMap'))
        .map(({ subject }) => `CreatingCluster: Create ${subject} at gardener`),
      'CreatingCluster: Create Shoot planned at gardener',
      'CreatingBindingsForOperators: Create ClusterRoleBinding administrator0 at cluster',
      ...plan.changes
        .filter(({ subject }) => subject.startsWith('module'))
        .map(({ subject }) => `StartingInstallation: Install ${subject} at cluster`),
    ],
  );
  const manifestOf = (subject: RegExp) => plan.changes.find((change) => subject.test(change.subject))?.manifest;
  assert.deepEqual(manifestOf(/^Runtime/), { name: 'demo', description: 'first runtime', labels: { team: 'a' } });
  assert.match(manifestOf(/^ConfigMap/).data['config.yaml'], /https:\/\/issuer\.example\.com/);
  const module = manifestOf(/^module istio/);
  assert.match(module.manifest.sha256, /^[0-9a-f]{64}$/);
  assert.match(module.manifest.url, /^https:/);
  assert.ok(module.version);

  const { id, runtimeID } = await world.provision(order);
  await world.succeeded(id);
  const shoot = await world.shoot(name);
  const planned = manifestOf(/^Shoot/);
  const { annotations } = planned.metadata;
  assert.ok(Object.values(annotations).includes(noId));
  for (const key of Object.keys(annotations)) if (annotations[key] === noId) annotations[key] = runtimeID;
  assert.partialDeepStrictEqual(shoot, planned);
  await world.succeeded(await world.deprovision(runtimeID));
});

test('a dry run refuses what the real one refuses, and a provider that does not answer', async () => {
  const codes = async (config: unknown, id?: string) => {
    const answers = await Promise.all([
      world.api.send(dryRunMutation, { config, id }),
      world.api.send(planProvisionQuery, { config, id }),
    ]);
    return [...new Set(answers.flatMap(({ errors }) => errors.map(({ extensions }) => extensions?.code)))];
  };
  assert.deepEqual(await codes(orderOf({ gardenerConfig: { workerCidr: 'nonsense' } })), ['INVALID_INPUT']);
  assert.deepEqual(await codes(orderOf({ gardenerConfig: { targetSecret: 'nowhere' } })), ['CLUSTER_REJECTED']);
  assert.deepEqual(await codes(orderOf(), crypto.randomUUID()), ['DIRECTOR_RUNTIME_NOT_FOUND']);
  const fault = control.addFault({ target: 'garden', action: { kind: 'status', status: 503 } });
  assert.deepEqual(await codes(orderOf()), ['CLUSTER_PROVIDER_UNAVAILABLE']);
  control.removeFault(fault);

  const name = 'taken';
  const { id, runtimeID } = await world.provision(orderOf({ kymaConfig: null, gardenerConfig: { name } }));
  await world.succeeded(id);
  assert.deepEqual(await codes(orderOf({ gardenerConfig: { name } })), ['CLUSTER_NAME_TAKEN']);
  assert.deepEqual(await codes(orderOf({ kymaConfig: null }), runtimeID), ['ALREADY_EXISTS']);
  await world.succeeded(await world.deprovision(runtimeID));
});

test('a plan of deprovisioning tells what is there, and removes nothing', async () => {
  control.setShootFate('*', { kind: 'stuck', during: 'Create' });
  const { id, runtimeID } = await world.provision(orderOf({ gardenerConfig: { name: 'there' } }));
  await world.reaches(id, 'the creation', ({ stage }) => stage === 'WaitingForClusterCreation');
  const { errors } = await world.api.send(planDeprovisionQuery, { id: runtimeID });
  assert.match(errors[0]?.message ?? '', new RegExp(`in progress: Provision ${id}$`));
  const unregister = `UnregisteringRuntime: Unregister Runtime ${runtimeID} at Director`;
  assert.deepEqual(await planOfDeprovision(runtimeID, true), [
    `null: Cancel Provision ${id} at this service`,
    'DeprovisionCluster: Delete cluster there (Shoot is being made or changed) at gardener',
    unregister,
  ]);
  control.liftShootFate();
  await world.succeeded(id);

  const dryRun = `mutation ($id: String!) { deprovisionRuntime(id: $id, dryRun: true) }`;
  assert.deepEqual(await world.api.ask(dryRun, { id: runtimeID }), { deprovisionRuntime: '' });
  const [istio, connector, ...rest] = await planOfDeprovision(runtimeID);
  assert.match(istio ?? '', /^TriggerKymaUninstall: Uninstall module istio \S+ at cluster$/);
  assert.match(connector ?? '', /^TriggerKymaUninstall: Uninstall module application-connector \S+ at cluster$/);
  assert.deepEqual(rest, ['DeprovisionCluster: Delete cluster there (Shoot is ready) at gardener', unregister]);
  assert.equal((await world.runtime(runtimeID)).lastOperationStatus.id, id);

  const stranger = world.as({ tenant: 'tenant-b' });
  for (const document of [planDeprovisionQuery, dryRun])
    assert.equal((await stranger.send(document, { id: runtimeID })).errors[0]?.extensions?.code, 'NOT_FOUND');
  await world.succeeded(await world.deprovision(runtimeID));
});

function oidc() {
  return {
    clientID: 'kyma',
    groupsClaim: 'groups',
    issuerURL: 'https://issuer.example.com',
    signingAlgs: ['RS256'],
    usernameClaim: 'sub',
    usernamePrefix: '-',
  };
}
