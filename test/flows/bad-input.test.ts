import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { mistakesInTheCluster, notOffered, refusalsOfGardener } from './bad-clusters.ts';
import { type BadOrder, mistakesInKyma, mistakesOfTheRequest } from './bad-orders.ts';
import { provisionMutation } from './documents.ts';
import { orderOf } from './orders.ts';
import { openWorld, projectNamespace, shoots } from './world.ts';

const world = await openWorld();
const { control } = world;

await makeForeignShoot('foreign');
const untouched = await everything();

for (const [what, orders] of Object.entries({
  'the request': mistakesOfTheRequest,
  'the cluster': mistakesInTheCluster,
  'what the CloudProfile offers': notOffered,
  'what only Gardener knows': refusalsOfGardener,
  Kyma: mistakesInKyma,
})) {
  describe(`a mistake in ${what} is told with its code, its path and its words, and leaves nothing`, () => {
    for (const bad of orders) test(bad.reason, () => refused(bad));
  });
}

async function refused({ changes, id, tenant, code, paths, words }: BadOrder): Promise<void> {
  const api = world.as(tenant === undefined ? {} : { tenant });
  const { status, data, errors } = await api.send(provisionMutation, { id, config: orderOf(changes) });
  assert.equal(status, 200);
  assert.deepEqual(data, { provisionRuntime: null });
  assert.equal(errors.length, 1);
  const [error] = errors;
  assert.match(error?.message ?? '', words);
  assert.deepEqual(error?.path, ['provisionRuntime']);
  const { extensions = {} } = error ?? {};
  assert.deepEqual([extensions.code, extensions.actor, extensions.error_code], [code, 'caller', 400]);
  assert.equal(extensions.retryable, false);
  const problems = (extensions.problems ?? []) as { path: string; message: string }[];
  if (paths)
    assert.deepEqual(
      problems.map(({ path }) => path),
      paths.map(fullPath),
    );
  for (const problem of problems) assert.ok(error?.message.includes(`${problem.path}: ${problem.message}`));
  assert.deepEqual(await everything(), untouched);
}

function fullPath(path: string): string {
  return path.startsWith('.') ? `config.clusterConfig.gardenerConfig${path}` : path;
}

/** What is stored, what is registered and what exists in the clouds. */
async function everything(): Promise<object> {
  return { rows: await world.rowCounts(), inventory: control.inventory() };
}

/** Somebody else's cluster in the same project. */
async function makeForeignShoot(name: string): Promise<void> {
  const { id, runtimeID } = await world.provision(orderOf({ gardenerConfig: { name: 'pattern' } }));
  await world.succeeded(id);
  const pattern = await world.shoot('pattern');
  await world.succeeded(await world.deprovision(runtimeID));
  assert.ok(pattern?.apiVersion && pattern.kind);
  const { apiVersion, kind } = pattern;
  const { seedName: _, ...wanted } = pattern.spec;
  await world.garden.create(shoots, {
    apiVersion,
    kind,
    metadata: { name, namespace: projectNamespace },
    spec: wanted,
  });
}
