import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAlive } from '../../src/db/embedded/running-server.ts';
import { eventually } from '../harness/eventually.ts';
import { graphqlClient } from '../harness/graphql-client.ts';
import { testLandscape } from '../harness/landscape.ts';
import { testDatabase } from '../harness/postgres.ts';
import { databaseEnvironment, ServiceProcess, startServiceProcess } from '../harness/service-process.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

const landscape = await testLandscape();

test('the service becomes ready on a server, says where it listens, and ends with 0 on SIGTERM', async () => {
  const { settings } = await testDatabase();
  const service = await startServiceProcess({ ...landscape.environment, ...databaseEnvironment(settings) });
  assert.equal((await fetch(`${service.origin}/healthz`)).status, 200);
  assert.equal((await fetch(service.metrics)).status, 200);
  const stranger = graphqlClient({ endpoint: service.endpoint, tenant: 'tenant-a' });
  const { errors } = await stranger.send(
    `{ runtimeStatus(id: "${crypto.randomUUID()}") { lastOperationStatus { id } } }`,
  );
  assert.equal(errors[0]?.extensions?.code, 'NOT_FOUND');
  assert.equal(await service.stop(), 0);
});

test('a service that is stopped with Ctrl-C twice, as npm does, still ends in order', async () => {
  const { settings } = await testDatabase();
  const service = await startServiceProcess({ ...landscape.environment, ...databaseEnvironment(settings) });
  process.kill(service.pid, 'SIGINT');
  process.kill(service.pid, 'SIGINT');
  assert.equal(await service.exited, 0);
  assert.ok(service.log.some(({ msg }) => msg === 'service is stopped'));
});

test('an embedded PostgreSQL goes with its service, whether that is stopped or killed', async () => {
  const environment = { ...landscape.environment, APP_DATABASE_EMBEDDED_PATH: temporaryFolder() };
  const first = await startServiceProcess(environment);
  const firstServer = await databasePid(first);
  await first.kill();
  const second = await startServiceProcess(environment);
  const secondServer = await databasePid(second);
  assert.equal(await second.stop(), 0);
  await eventually('both servers to end', () => !isAlive(firstServer) && !isAlive(secondServer));
});

test('a service that cannot start says why and ends', async () => {
  const service = new ServiceProcess({ APP_DATABASE_PORT: 'many' });
  assert.notEqual(await service.exited, 0);
  assert.match(service.written, /APP_DATABASE_PORT/);
});

async function databasePid(service: ServiceProcess): Promise<number> {
  const { pid } = await service.waitForLog('the embedded PostgreSQL', ({ msg }) =>
    /PostgreSQL is running/.test(msg ?? ''),
  );
  return Number(pid);
}
