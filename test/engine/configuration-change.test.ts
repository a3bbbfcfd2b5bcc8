import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { sql } from 'kysely';
import { ColumnCipher } from '../../src/db/encryption.ts';
import { acceptOperation, type ConfigurationChange } from '../../src/db/queries/accept-operation.ts';
import { findRuntime } from '../../src/db/queries/find-runtime.ts';
import { Failure } from '../../src/domain/failures.ts';
import { newOperationId } from '../../src/domain/ids.ts';
import type { KymaInstallation } from '../../src/domain/kyma-config.ts';
import type { Operation } from '../../src/domain/operation.ts';
import { done, fail, type Outcome } from '../../src/domain/outcome.ts';
import type { Runtime, Target, TargetPart } from '../../src/domain/runtime.ts';
import { Secret } from '../../src/domain/secret.ts';
import { ended, migratedDatabase, provision, retry, startEngine, tenant, timeline } from './support/engine-fixture.ts';
import { provisionFlow } from './support/flows.ts';

const cipher = new ColumnCipher({ keys: [new Secret(randomBytes(32))] });
const kyma = (version: string): KymaInstallation => ({
  installer: 'modules',
  plan: { resolved: version },
  config: { version, components: [], configuration: [{ key: 'password', value: `of ${version}`, secret: true }] },
});

/** A Runtime, and an upgrade of it whose one stage that changes anything answers what it is told to. */
async function upgraded(answer: (target: Target | undefined) => Outcome) {
  const { database } = await migratedDatabase({ cipher });
  const seen: { target?: Target | undefined; later?: Runtime } = {};
  const provisioning = provisionFlow([{ stage: 'One', run: async () => done() }]);
  const upgrade = {
    ...provisionFlow([
      {
        stage: 'NotAsked',
        run: async () => done(),
        skipWhen: {
          reads: 'no administrators are changed',
          holds: (_, target) => target?.administrators === undefined,
        },
      },
      {
        stage: 'Changing',
        run: async ({ target }) => {
          seen.target = target;
          return answer(target);
        },
      },
      {
        stage: 'Looking',
        run: async ({ runtime }) => {
          seen.later = runtime;
          return done();
        },
      },
    ]),
    kind: 'Upgrade' as const,
  };
  await startEngine({ database, flows: [provisioning, upgrade] });
  const { runtimeId } = await ended(database, await provision(database, provisioning));
  const read = async () => {
    const found = await findRuntime({ database, tenant, runtimeId });
    assert.ok(found);
    return found.runtime;
  };
  const before = await read();
  const accept = (change: ConfigurationChange): Promise<Operation> =>
    acceptOperation({
      ...{ database, tenant, runtimeId, operationId: newOperationId(), kind: 'Upgrade', change },
      ...{ startMessage: upgrade.startMessage, firstStage: 'NotAsked' },
    });
  return { database, before, read, accept, seen };
}

const adopting = (...adopts: readonly TargetPart[]) => done({ runtime: { adopts } });
const changeOf = ({ cluster, configurationRevision: revision }: Runtime): ConfigurationChange => ({
  revision,
  before: { cluster: cluster.config },
  after: { cluster: { ...cluster.config, kubernetesVersion: '1.35.1' }, kyma: kyma('2.1') },
});

test('a stage sees what its operation is to change, and what it adopts is the configuration from then on', async () => {
  const { database, before, read, accept, seen } = await upgraded(() => adopting('cluster', 'kyma'));
  const change = changeOf(before);
  const operation = await ended(database, await accept(change));
  assert.equal(operation.state, 'Succeeded', operation.message);
  assert.deepEqual(seen.target, change.after);
  const after = await read();
  assert.deepEqual([after.cluster.config, after.kyma], [change.after.cluster, change.after.kyma]);
  assert.deepEqual([seen.later?.cluster.config, seen.later?.kyma], [change.after.cluster, change.after.kyma]);
  assert.deepEqual([after.administrators, after.configurationRevision], [before.administrators, 1]);
  const { rows } = await sql<{ kubernetes_version: string; kyma_version: string; adopted: boolean; text: string }>`
    SELECT runtime_listing.kubernetes_version, runtime_listing.kyma_version, adopted_at IS NOT NULL AS adopted,
      configuration_change.after::text || runtime.kyma_config::text AS text
    FROM runtime_listing JOIN runtime ON runtime.id = runtime_id, configuration_change`.execute(database.kysely);
  assert.deepEqual(
    rows.map((row) => [row.kubernetes_version, row.kyma_version, row.adopted, row.text.includes('of 2.1')]),
    [['1.35.1', '2.1', true, false]],
  );
  assert.ok((await timeline(database, operation)).includes('StageSkipped NotAsked'));
});

test('what is not adopted stays out of the configuration, and a retry has the same target', async () => {
  let answer = fail(new Failure('CLUSTER_FAILED', 'no quota'));
  const { database, before, read, accept, seen } = await upgraded(() => answer);
  const change = changeOf(before);
  const failed = await ended(database, await accept(change));
  assert.equal(failed.state, 'Failed');
  assert.deepEqual(await read(), before);
  answer = adopting('kyma');
  seen.target = undefined;
  const again = await ended(database, await retry(database, failed));
  assert.equal(again.state, 'Succeeded', again.message);
  assert.deepEqual(seen.target, change.after);
  const after = await read();
  assert.deepEqual([after.cluster.config, after.kyma], [before.cluster.config, change.after.kyma]);
});

test('a change made for a configuration that is over is refused, and nothing is stored', async () => {
  const { database, before, accept } = await upgraded(() => adopting('cluster'));
  await ended(database, await accept(changeOf(before)));
  await assert.rejects(accept(changeOf(before)), { code: 'CONFIGURATION_CHANGED' });
  const { rows } = await sql<{ count: number }>`SELECT count(*)::int AS count FROM operation`.execute(database.kysely);
  assert.equal(rows[0]?.count, 2);
});
