import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { orderOf } from './orders.ts';
import { clusterClient, openWorld } from './world.ts';

const world = await openWorld();
const { control, database } = world;

/** Everything that is stored, as text. */
async function everythingStored(): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`.execute(
    world.stored.kysely,
  );
  assert.ok(tables.some(({ name }) => name === 'runtime'));
  const texts = tables.map(async ({ name }) => {
    const { rows } = await sql<{ text: string }>`
      SELECT coalesce(string_agg(line::text, '\n'), '') AS text FROM ${sql.table(name)} AS line`.execute(
      world.stored.kysely,
    );
    return rows[0]?.text ?? '';
  });
  return (await Promise.all(texts)).join('\n');
}

/** What must be seen nowhere but where it belongs. */
async function secretsOf(runtimeId: string): Promise<Record<string, string>> {
  const { kubeconfig } = (await world.runtime(runtimeId)).runtimeConnectionConfig;
  const key = /client-key-data: "?([\w+/=]+)/.exec(kubeconfig ?? '')?.[1] ?? '';
  const secrets = { apiVersion: 'v1', plural: 'secrets', namespaced: true };
  const reference = { ...secrets, namespace: 'kyma-system', name: 'compass-agent-configuration' };
  const agent = (await clusterClient(kubeconfig).get(reference)) as { data?: { TOKEN?: string } } | undefined;
  const registry = { ...secrets, namespace: 'kyma-system', name: 'serverless-external-registry' };
  const given = (await clusterClient(kubeconfig).get(registry)) as { data?: { password?: string } } | undefined;
  return {
    'a confidential entry': Buffer.from(given?.data?.password ?? '', 'base64').toString(),
    'the client secret': control.credentials().client_secret,
    'the password of the database': database.settings.password.reveal(),
    'the key of a kubeconfig': key,
    'the key of a kubeconfig, decoded': Buffer.from(key, 'base64').toString().slice(40, 100),
    'the token of the agent': Buffer.from(agent?.data?.TOKEN ?? '', 'base64').toString(),
    'the encryption key': Buffer.alloc(32, 7).toString('base64'),
  };
}

test('neither the log nor the database shows a secret, also when things go wrong', async () => {
  for (const target of ['director', 'oauth', 'garden', 'cluster', 'artifacts'] as const) {
    control.addFault({ target, method: 'POST', count: 1, path: '^(?!.*dryRun)', action: { kind: 'loseReply' } });
  }
  const configuration = [
    { key: 'dockerRegistry.username', value: 'user-of-the-registry', secret: true },
    { key: 'dockerRegistry.password', value: 'password-of-the-registry', secret: true },
  ];
  const components = [
    { component: 'application-connector', namespace: 'kyma-system' },
    { component: 'serverless', namespace: 'kyma-system', configuration },
  ];
  const order = orderOf({ kymaConfig: { version: 'fast', components } });
  const { id, runtimeID } = await world.provision(order);
  await world.succeeded(id);
  const secrets = await secretsOf(runtimeID);

  const { logged } = world.service;
  assert.ok(logged.length > 20);
  for (const [where, text] of Object.entries({ log: logged.join(''), database: await everythingStored() })) {
    assert.ok(text.includes(runtimeID), `the ${where} was read`);
    for (const [what, secret] of Object.entries(secrets)) {
      assert.ok(secret.length > 8, what);
      assert.ok(!text.includes(secret), `${what} is in the ${where}`);
    }
  }
  await world.succeeded(await world.deprovision(runtimeID));
});
