/**
 * A process of its own with one engine, to be killed and frozen by tests. Its single stage tells when it begins, then
 * holds until it is let go, deaf to its signal if told so. Parent and child talk over the IPC channel.
 */
import { Database, type DatabaseSettings } from '../../../src/db/database.ts';
import { type CrashPlace, crashAt } from '../../../src/domain/crash-point.ts';
import { done } from '../../../src/domain/outcome.ts';
import { Secret } from '../../../src/domain/secret.ts';
import { Engine } from '../../../src/engine/engine.ts';
import type { EngineTiming } from '../../../src/engine/timing.ts';
import { silentLog } from '../../harness/silent-log.ts';
import { deadlines } from './deadlines.ts';
import { provisionFlow } from './flows.ts';

export interface ProcessOrders {
  readonly settings: Omit<DatabaseSettings, 'password'> & { readonly password: string };
  readonly timing: Partial<EngineTiming>;
  readonly stages: readonly string[];
  /** The stage that holds; none when absent. */
  readonly holds?: string;
  readonly deaf: boolean;
  readonly crashPlace?: CrashPlace;
}

export type ProcessNews = { readonly event: string; readonly operationId?: string; readonly stage?: string };

const orders = JSON.parse(process.env.TEST_ENGINE_ORDERS ?? '') as ProcessOrders;
const gate = Promise.withResolvers<void>();
process.on('message', () => gate.resolve());
process.on('disconnect', () => process.exit());

const { password, ...settings } = orders.settings;
const database = new Database({ settings: { ...settings, password: new Secret(password) }, log: silentLog });
const flow = provisionFlow(
  orders.stages.map((stage) => ({
    stage,
    run: async ({ operation, signal }) => {
      tell({ event: 'began', operationId: operation.id, stage });
      if (stage !== orders.holds) return done();
      const aborted = Promise.withResolvers<never>();
      if (!orders.deaf) signal.addEventListener('abort', () => aborted.reject(signal.reason));
      await Promise.race([gate.promise, aborted.promise]);
      return done({ message: `by process ${process.pid}` });
    },
  })),
);
const engine = new Engine({
  ...{ database, flows: [flow], tools: {}, deadlines: deadlines(), log: silentLog, timing: orders.timing },
  crashPoint: crashAt(orders.crashPlace),
});
for (const event of ['operation:lost', 'operation:succeeded', 'replica:expired'] as const) {
  engine.events.on(event, () => tell({ event }));
}
await engine.start();
tell({ event: 'started' });

function tell(news: ProcessNews): void {
  process.send?.(news);
}
