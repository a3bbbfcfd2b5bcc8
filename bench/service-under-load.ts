import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { freePort } from '../scripts/demo/free-port.ts';
import { type ServiceProcess, startService } from '../scripts/demo/service-process.ts';
import type { EmbeddedPostgres } from '../src/db/embedded/embedded-postgres.ts';
import { type LandscapeProcess, startLandscapeProcess } from './landscape-process.ts';

export interface ServiceUnderLoad {
  readonly endpoint: string;
  readonly process: ServiceProcess;
}

interface Surroundings {
  readonly directory: string;
  /** Says which database the service uses. */
  readonly environment: NodeJS.ProcessEnv;
  readonly resources: AsyncDisposableStack;
}

/** A landscape and one service, each a process of its own. */
export async function startServiceUnderLoad(surroundings: Surroundings): Promise<ServiceUnderLoad> {
  const landscape = await startLandscapeProcess(path.join(surroundings.directory, 'landscape'));
  surroundings.resources.defer(() => landscape.stop());
  return startServiceOn({ ...surroundings, landscape });
}

export async function startServiceOn({
  directory,
  environment,
  resources,
  landscape,
}: Surroundings & { landscape: LandscapeProcess }): Promise<ServiceUnderLoad> {
  const port = await freePort(0);
  const origin = `http://127.0.0.1:${port}`;
  const service = await startService({
    origin,
    logFile: path.join(directory, 'service.log'),
    environment: {
      ...landscape.environment,
      APP_ADDRESS: `127.0.0.1:${port}`,
      APP_METRICS_ADDRESS: '127.0.0.1:0',
      APP_LOG_LEVEL: 'warn',
      ...environment,
    },
  });
  resources.defer(() => service.stop());
  return { endpoint: `${origin}/graphql`, process: service };
}

/** Points the service to a PostgreSQL that the bench itself has started. */
export function databaseEnvironment({ host, port, user, password, name }: EmbeddedPostgres): NodeJS.ProcessEnv {
  return {
    APP_DATABASE_HOST: host,
    APP_DATABASE_PORT: String(port),
    APP_DATABASE_USER: user,
    APP_DATABASE_PASSWORD: password.reveal(),
    APP_DATABASE_NAME: name,
    APP_DATABASE_SECRET_KEY: randomBytes(32).toString('base64'),
  };
}
