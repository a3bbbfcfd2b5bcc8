import type { Logger } from '../../src/domain/logger.ts';

/** For tests that are not about logging. */
export const silentLog: Logger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  child: () => silentLog,
};
