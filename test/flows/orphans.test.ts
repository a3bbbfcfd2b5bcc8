import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { sql } from 'kysely';
import { eventually } from '../harness/eventually.ts';
import type { GraphqlClient } from '../harness/graphql-client.ts';
import { orderOf } from './orders.ts';
import { type Accepted, openWorld, projectNamespace, shoots } from './world.ts';

const world = await openWorld({ environment: { APP_ORPHAN_SEARCH_INTERVAL: '1s' } });
const { api, control, stored } = world;
/** The annotation that names the installation. */
const mark = 'kcp.provisioner.kyma-project.io/installation-id';

const orphansQuery = `{ orphans {
  nodes { id where name place runtimeID reason state createdAt problem }
  searches { where searchedAt problem }
} }`;
const removeMutation = `mutation ($id: String!, $dryRun: Boolean) {
  removeOrphan(id: $id, dryRun: $dryRun) { id state problem plan { changes { action to subject } } }
}`;

interface Orphan {
  readonly id: string;
  readonly where: string;
  readonly name: string;
  readonly place: string | null;
  readonly runtimeID: string;
  readonly reason: string;
  readonly state: string;
  readonly createdAt: string | null;
  readonly problem: string | null;
  readonly plan: { readonly changes: readonly object[] } | null;
}

interface Page {
  readonly nodes: readonly Orphan[];
  readonly searches: readonly {
    readonly where: string;
    readonly searchedAt: string | null;
    readonly problem: string | null;
  }[];
}

afterEach(() => {
  control.clearFaults();
  control.liftShootFate();
});

async function orphans(as: GraphqlClient = api): Promise<Page> {
  return (await as.ask<{ orphans: Page }>(orphansQuery)).orphans;
}

const namesOf = ({ nodes }: Page) => nodes.map(({ where, name }) => `${where} ${name}`).toSorted();

function listed(...names: readonly string[]): Promise<readonly Orphan[]> {
  return eventually(`${names.join(', ') || 'no orphan'} to be listed`, async () => {
    const page = await orphans();
    return JSON.stringify(namesOf(page)) === JSON.stringify([...names].toSorted()) && page.nodes;
  });
}

async function remove(id: string, dryRun = false): Promise<Orphan> {
  return (await api.ask<{ removeOrphan: Orphan }>(removeMutation, { id, dryRun })).removeOrphan;
}

/** Everything has been searched once more from now on. */
async function searchedAgain(): Promise<Page> {
  const now = await orphans();
  return eventually('another search of everything', async () => {
    const page = await orphans();
    const isLater = ({ where, searchedAt }: Page['searches'][number]) =>
      searchedAt !== null && searchedAt > (now.searches.find((before) => before.where === where)?.searchedAt ?? '');
    return page.searches.every(isLater) && page;
  });
}

async function onGardener(name: string): Promise<Accepted> {
  return world.provision(orderOf({ runtimeInput: { name }, kymaConfig: null, gardenerConfig: { name } }));
}

async function onGke(name: string): Promise<Accepted> {
  const gcpConfig = {
    name,
    projectName: 'my-project',
    kubernetesVersion: '1.34',
    bootDiskSizeGB: 30,
    numberOfNodes: 1,
  };
  const config = {
    runtimeInput: { name },
    clusterConfig: { gcpConfig: { ...gcpConfig, machineType: 'n1-standard-4', region: 'europe-west3-a' } },
    credentials: { secretName: 'gcp-secret' },
  };
  const document = 'mutation ($config: ProvisionRuntimeInput!) { provisionRuntime(config: $config) { id runtimeID } }';
  return (await api.ask<{ provisionRuntime: Accepted }>(document, { config })).provisionRuntime;
}

/** As the database is after a restore of a backup from before that Runtime. */
async function forget(runtimeId: string): Promise<void> {
  await sql`DELETE FROM operation_event WHERE operation_id IN (SELECT id FROM operation WHERE runtime_id = ${runtimeId})`.execute(
    stored.kysely,
  );
  await sql`DELETE FROM operation WHERE runtime_id = ${runtimeId}`.execute(stored.kysely);
  await sql`DELETE FROM runtime WHERE id = ${runtimeId}`.execute(stored.kysely);
}

/** A Shoot like that one, under another name or again. */
async function plant(model: string, changes: { name?: string; annotations?: Record<string, string | undefined> } = {}) {
  const shoot = await world.shoot(model);
  assert.ok(shoot, `there is no Shoot ${model}`);
  const { labels } = shoot.metadata;
  const marks = Object.entries({ ...shoot.metadata.annotations, ...changes.annotations });
  const annotations = Object.fromEntries(marks.flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])));
  const metadata = { name: changes.name ?? model, namespace: projectNamespace, labels, annotations };
  const { dns: _, ...spec } = shoot.spec;
  return () => world.garden.create(shoots, { apiVersion: shoots.apiVersion, kind: 'Shoot', metadata, spec });
}

async function metric(where: string): Promise<string | undefined> {
  const up = world.service.logged.map((line) => JSON.parse(line)).find(({ msg }) => msg === 'service is up');
  const text = await (await fetch(`http://127.0.0.1:${up.metricsPort}/metrics`)).text();
  return new RegExp(`^provisioner_orphans\\{where="${where}"\\} (\\d+)$`, 'm').exec(text)?.[1];
}

test('what a restored database does not know is found in Gardener, GKE and the Director, and removed when told to', async () => {
  const kept = [await onGardener('kept-shoot'), await onGke('kept-gke')];
  const lost = [await onGardener('lost-shoot'), await onGke('lost-gke')];
  for (const { id } of [...kept, ...lost]) await world.succeeded(id);
  assert.deepEqual((await searchedAgain()).nodes, []);
  for (const { runtimeID } of lost) await forget(runtimeID);

  const found = await listed('Gardener lost-shoot', 'GKE lost-gke', 'Director lost-shoot', 'Director lost-gke');
  for (const { where, name, runtimeID, reason, state, place, createdAt } of found) {
    const owner = lost[name === 'lost-shoot' ? 0 : 1]?.runtimeID;
    assert.deepEqual([runtimeID, reason, state], [owner, 'RuntimeUnknown', 'Found']);
    assert.equal(place, where === 'GKE' ? 'my-project/europe-west3-a' : null);
    assert.equal(createdAt !== null, where !== 'Director');
  }
  await eventually('the metric', async () => (await metric('director')) === '2' && (await metric('gke')) === '1');
  const told = world.service.logged.filter((line) =>
    line.includes('found something outside that belongs to no Runtime'),
  );
  assert.equal(told.length, 4, 'each is told once');

  const stranger = world.as({ tenant: 'tenant-b' });
  assert.deepEqual((await orphans(stranger)).nodes, []);
  for (const id of [found[0]?.id, crypto.randomUUID(), 'nonsense']) {
    const { errors } = await stranger.send(removeMutation, { id });
    assert.deepEqual(
      errors.map(({ extensions }) => extensions?.code),
      ['NOT_FOUND'],
    );
  }

  const changes: Readonly<Record<string, object>> = {
    'Gardener lost-shoot': { action: 'Delete', to: 'gardener', subject: 'Shoot lost-shoot' },
    'GKE lost-gke': { action: 'Delete', to: 'gke', subject: 'cluster lost-gke' },
    'Director lost-shoot': { action: 'Unregister', to: 'Director', subject: 'Runtime lost-shoot' },
    'Director lost-gke': { action: 'Unregister', to: 'Director', subject: 'Runtime lost-gke' },
  };
  for (const { id, where, name } of found) {
    const dry = await remove(id, true);
    assert.deepEqual([dry.state, dry.plan?.changes], ['Found', [changes[`${where} ${name}`]]]);
  }
  assert.equal((await orphans()).nodes.length, 4, 'a dry run removes nothing');
  for (const { id } of found) assert.match((await remove(id)).state, /^(Removing|Gone)$/);
  await listed();
  for (const { id } of found)
    assert.deepEqual([(await remove(id)).state, (await remove(id, true)).plan], ['Gone', { changes: [] }]);
  const inventory = control.inventory();
  assert.deepEqual(
    inventory.shoots.map(({ name }) => name),
    ['kept-shoot'],
  );
  assert.deepEqual(inventory.directorRuntimes.map(({ name }) => name).toSorted(), ['kept-gke', 'kept-shoot']);
  assert.deepEqual(
    control.googleInventory().clusters.map(({ name }) => name),
    ['kept-gke'],
  );
  await eventually('the metric', async () => (await metric('director')) === '0' && (await metric('gardener')) === '0');
});

test('a cluster that appears after its Runtime was deprovisioned is an orphan; what others have made is none', async () => {
  const { id, runtimeID } = await onGardener('late');
  await world.succeeded(id);
  const foreign = { [mark]: crypto.randomUUID() };
  const unknown = Object.fromEntries(
    ['kcp', 'compass'].map((prefix) => [`${prefix}.provisioner.kyma-project.io/runtime-id`, crypto.randomUUID()]),
  );
  const plants = [
    await plant('late'),
    await plant('late', { name: 'foreign', annotations: foreign }),
    await plant('late', { name: 'nobodys', annotations: { ...unknown, ...foreign } }),
    await plant('late', { name: 'unmarked', annotations: { ...unknown, [mark]: undefined } }),
    await plant('late', { name: 'copied', annotations: { [mark]: undefined } }),
    await plant('late', { name: 'second' }),
  ];
  const second = plants.pop();
  await second?.();
  const [twin] = await listed('Gardener second');
  assert.deepEqual([twin?.reason, twin?.runtimeID], ['NotTheCluster', runtimeID]);
  await remove(twin?.id ?? '');
  await listed();
  assert.ok(await world.shoot('late'), "the Runtime's own cluster is left alone");

  await world.succeeded(await world.deprovision(runtimeID));
  for (const create of plants) await create();
  const [orphan, ...others] = await listed('Gardener late');
  assert.deepEqual([orphan?.reason, others], ['RuntimeDeprovisioned', []]);
  assert.deepEqual(namesOf(await searchedAgain()), ['Gardener late']);
  await remove(orphan?.id ?? '');
  await listed();
  assert.ok(await world.shoot('foreign'));
});

test('what is being made, or being removed with its Runtime, is no orphan', async () => {
  control.setShootFate('*', { kind: 'stuck' });
  const making = await onGardener('making');
  await world.reaches(making.id, 'the creation', ({ stage }) => stage.startsWith('WaitingForCluster'));
  assert.deepEqual((await searchedAgain()).nodes, []);
  control.liftShootFate();
  await world.succeeded(making.id);
  control.setShootFate('*', { kind: 'stuck', during: 'Delete' });
  const deprovisioning = await world.deprovision(making.runtimeID);
  await world.reaches(deprovisioning, 'the deletion', ({ stage }) => stage === 'WaitForClusterDeletion');
  assert.deepEqual((await searchedAgain()).nodes, []);
  control.liftShootFate();
  await world.succeeded(deprovisioning);
  assert.deepEqual((await searchedAgain()).nodes, []);
});

test('a Director that is down is told as such, and what is to be removed there is removed later', async () => {
  const { id, runtimeID } = await onGardener('waits');
  await world.succeeded(id);
  await forget(runtimeID);
  const found = await listed('Gardener waits', 'Director waits');
  control.addFault({ target: 'director', action: { kind: 'status', status: 503 } });
  const entry = found.find(({ where }) => where === 'Director')?.id ?? '';
  const dry = await api.send(removeMutation, { id: entry, dryRun: true });
  assert.equal(dry.errors[0]?.extensions?.code, 'DIRECTOR_UNAVAILABLE');
  assert.equal((await remove(entry)).state, 'Removing');
  const { searches } = await orphans();
  assert.match(searches.find(({ where }) => where === 'Director')?.problem ?? '', /does not answer/);
  control.clearFaults();
  await listed('Gardener waits');
  assert.equal((await remove(entry)).state, 'Gone');
  await remove(found.find(({ where }) => where === 'Gardener')?.id ?? '');
  await listed();
});
