import { type DestinationStream, type Logger as Pino, pino } from 'pino';
import { loggedFields } from '../kernel/logged-error.ts';
import type { Logger } from '../kernel/logger.ts';

/** Keys whose values never reach a log line, at any depth. */
const secretKeys = [
  'authorization',
  'password',
  'secret',
  'key',
  'apiKey',
  'token',
  'headers',
  'connectionString',
  'credentials',
  'accessKey',
  'serviceAccountKey',
];

/** Structured log on `destination`: one JSON line per event, written synchronously so that nothing is lost at exit. */
export function createPinoLogger(level: string, destination: DestinationStream): Logger {
  const redacted = secretKeys.flatMap((key) => [key, `*.${key}`]);
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: redacted,
    // Errors come here as plain fields already.
    serializers: { err: (error: unknown) => error },
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return wrap(pino(options, destination));
}

function wrap(log: Pino): Logger {
  return {
    debug: (fields, message) => log.debug(plain(fields), message),
    info: (fields, message) => log.info(plain(fields), message),
    warn: (fields, message) => log.warn(plain(fields), message),
    error: (fields, message) => log.error(plain(fields), message),
    child: (fields) => wrap(log.child(plain(fields))),
  };
}

/** Every line has its error under `err`, whatever the caller's key for it. */
function plain(fields: Record<string, unknown>): Record<string, unknown> {
  const { error, ...rest } = loggedFields(fields);
  return error === undefined ? rest : { ...rest, err: error };
}
