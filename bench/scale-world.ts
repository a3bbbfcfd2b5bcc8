import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { ProvisionerApi } from '../scripts/demo/provisioner-api.ts';
import { startEmbeddedPostgres } from '../src/db/embedded/embedded-postgres.ts';
import { createLog } from '../src/observability/log.ts';
import { cpuSeconds } from './cpu-time.ts';
import { type LandscapeProcess, startLandscapeProcess } from './landscape-process.ts';
import { databaseEnvironment, startServiceOn } from './service-under-load.ts';

/** Processor time in seconds so far. */
export interface Processors {
  readonly service: number;
  readonly postgres: number;
  readonly landscape: number;
}

/** One service with its database and the world around it, each in processes of its own. */
export interface ScaleWorld {
  readonly api: ProvisionerApi;
  readonly landscape: LandscapeProcess;
  readonly servicePid: number;
  /** On the service's own database. */
  readonly client: pg.Client;
  processors(): Processors;
  /** Asks the landscape's control API. */
  control(method: string, where: string, body?: object): Promise<unknown>;
}

export async function openScaleWorld(resources: AsyncDisposableStack): Promise<ScaleWorld> {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'provisioner-bench-'));
  resources.defer(() => rmSync(directory, { recursive: true, force: true }));
  const log = createLog({ level: 'warn' });
  const postgres = await startEmbeddedPostgres({ directory: path.join(directory, 'postgres'), log, temporary: true });
  resources.defer(() => postgres.stop());
  const landscape = await startLandscapeProcess(path.join(directory, 'landscape'));
  resources.defer(() => landscape.stop());
  const service = await startServiceOn({
    ...{ directory, resources, landscape, environment: databaseEnvironment(postgres) },
  });
  const { host, port, user, password, name } = postgres;
  const client = new pg.Client({ host, port, user, password: password.reveal(), database: name });
  await client.connect();
  resources.defer(() => client.end());
  return {
    ...{ landscape, client, servicePid: service.process.pid },
    api: { endpoint: service.endpoint, tenant: 'demo' },
    processors: () => ({
      service: cpuSeconds(service.process.pid),
      postgres: cpuSeconds(postgres.pid()),
      landscape: cpuSeconds(landscape.pid),
    }),
    async control(method, where, body) {
      const init = { method, body: body ? JSON.stringify(body) : null };
      const response = await fetch(`${landscape.control}${where}`, init);
      if (!response.ok) throw new Error(`${method} ${where}: ${response.status} ${await response.text()}`);
      return response.json();
    },
  };
}

/** What was used between two moments. */
export function usedSince(before: Processors, after: Processors): Processors {
  return {
    service: after.service - before.service,
    postgres: after.postgres - before.postgres,
    landscape: after.landscape - before.landscape,
  };
}
