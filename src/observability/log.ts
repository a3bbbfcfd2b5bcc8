import { type DestinationStream, pino, stdSerializers } from 'pino';
import type { Logger } from '../domain/logger.ts';

/** Fields that are never written, wherever a careless call may have put them: by themselves or one level down. */
const confidential = [
  'password',
  'token',
  'secret',
  'clientSecret',
  'client_secret',
  'authorization',
  'kubeconfig',
  'privateKey',
  'secretKey',
];

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal';

/**
 * A structured log: one line of JSON a message, to standard output unless told otherwise. `Secret` values print as
 * `[secret]`; the redaction of fields by name is the second wall. Errors are given as `err`, with their causes.
 */
export function createLog({ level, destination }: { level: LogLevel; destination?: DestinationStream }): Logger {
  return pino(
    {
      level,
      base: undefined,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: stdSerializers.errWithCause },
      redact: {
        paths: confidential.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
        censor: '[secret]',
      },
    },
    destination ?? pino.destination({ dest: 1, sync: true }),
  );
}
