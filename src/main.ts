// oxlint-disable-next-line import/no-unassigned-import -- it works by being loaded before all others
import './production.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError, readConfig } from './config.ts';
import { createLog } from './observability/log.ts';
import { startService } from './service.ts';

/** Exit code of a start that was stopped by its configuration, as sysexits.h has it. */
const wrongConfiguration = 78;

process.exitCode = await run();

async function run(): Promise<number> {
  const config = configOrMistakes();
  if (config === undefined) return wrongConfiguration;
  const log = createLog({ level: config.logLevel });
  for (const name of config.unknownVariables) log.warn({ variable: name }, 'this variable is not known and is ignored');

  const stopping = new AbortController();
  const atOnce = new AbortController();
  const stopped = new Promise<void>((resolve) => {
    stopping.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      log.info({ signal: name }, 'stopping');
      if (name === 'SIGINT' || stopping.signal.aborted) atOnce.abort();
      stopping.abort(new Error(`stopped by ${name}`));
    });
  }
  try {
    const service = await startService({ config, log, signal: stopping.signal });
    await stopped;
    await service.stop({ serveUntil: passOrAbort(config.shutdownDelayMilliseconds, atOnce.signal) });
    log.info({}, 'service is stopped');
    return 0;
  } catch (error) {
    if (stopping.signal.aborted) return 0;
    log.error({ err: error }, 'the service cannot run');
    return 1;
  }
}

/** Resolves after so many milliseconds, or when the signal aborts. */
async function passOrAbort(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (milliseconds > 0) await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
}

/** Prints one line per mistake when there are some. */
function configOrMistakes() {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const mistake of error.mistakes) console.error(mistake);
    return undefined;
  }
}
