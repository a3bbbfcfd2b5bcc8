/**
 * The API in a process of its own, which kills itself the moment it logs that it has accepted an operation: after the
 * acceptance is durable, and before anybody is told. It says where it listens over the IPC channel.
 */
import type { TestContext } from 'node:test';
import type { DatabaseSettings } from '../../../src/db/database.ts';
import type { Logger } from '../../../src/domain/logger.ts';
import { Secret } from '../../../src/domain/secret.ts';
import type { TestDatabase } from '../../harness/postgres.ts';
import { silentLog } from '../../harness/silent-log.ts';
import { apiUnderTest } from '../api-under-test.ts';

export type DyingApiOrders = Omit<DatabaseSettings, 'password'> & { readonly password: string };

const orders = JSON.parse(process.env.TEST_DYING_API_ORDERS ?? '') as DyingApiOrders;
process.on('disconnect', () => process.exit());

const deadlyLog: Logger = {
  ...silentLog,
  info: (_, message) => {
    if (message === 'operation accepted') process.kill(process.pid, 'SIGKILL');
  },
  child: () => deadlyLog,
};
const settings = { ...orders, password: new Secret(orders.password) };
const untilItDies = { after: () => undefined } as unknown as TestContext;
const { origin } = await apiUnderTest(untilItDies, {
  testing: { settings } as unknown as TestDatabase,
  log: deadlyLog,
});
process.send?.({ origin });
