import type { StoreFailure } from '../kernel/store-unavailable-error.ts';
import { TelemetryError, type TelemetryErrorKind } from './ports.ts';

/** ClickHouse error codes that are not simply `failed`. */
const kinds: Readonly<Record<number, TelemetryErrorKind>> = {
  159: 'timeout', // TIMEOUT_EXCEEDED
  160: 'timeout', // TOO_SLOW
  74: 'unavailable', // CANNOT_READ_FROM_FILE_DESCRIPTOR
  75: 'unavailable', // CANNOT_WRITE_TO_FILE_DESCRIPTOR
  76: 'unavailable', // CANNOT_OPEN_FILE
  77: 'unavailable', // CANNOT_CLOSE_FILE
  425: 'unavailable', // SYSTEM_ERROR
  209: 'unavailable', // SOCKET_TIMEOUT
  210: 'unavailable', // NETWORK_ERROR
  202: 'unavailable', // TOO_MANY_SIMULTANEOUS_QUERIES
  236: 'unavailable', // ABORTED
  242: 'unavailable', // TABLE_IS_READ_ONLY
  243: 'unavailable', // NOT_ENOUGH_SPACE
  252: 'unavailable', // TOO_MANY_PARTS: merges are behind
  279: 'unavailable', // ALL_CONNECTION_TRIES_FAILED
  319: 'unavailable', // UNKNOWN_STATUS_OF_INSERT
  369: 'unavailable', // ALL_REPLICAS_ARE_STALE
  999: 'unavailable', // KEEPER_EXCEPTION
  394: 'cancelled', // QUERY_WAS_CANCELLED
  158: 'limit', // TOO_MANY_ROWS
  191: 'limit', // SET_SIZE_LIMIT_EXCEEDED
  241: 'limit', // MEMORY_LIMIT_EXCEEDED
  307: 'limit', // TOO_MANY_BYTES
  396: 'limit', // TOO_MANY_ROWS_OR_BYTES
};

/** The engine passes on what a system call said, under codes that mean anything. */
const systemFailures: readonly (readonly [RegExp, StoreFailure])[] = [
  [/No space left on device|Disk quota exceeded|NOT_ENOUGH_SPACE|ENOSPC/, 'full'],
  [/Read-only file system|EROFS/, 'read_only'],
  [/Too many open files|Input\/output error|EMFILE|EIO\b/, 'failing'],
];

/** A server lost another one that it needed, under codes that also stand for data that is cut off. */
const lostServer = /while (?:receiving|sending) packet|(?:reading from|writing to) socket/;

/** UNKNOWN_USER, WRONG_PASSWORD, REQUIRED_PASSWORD, ACCESS_DENIED, AUTHENTICATION_FAILED. */
const rejections: ReadonlySet<number> = new Set([192, 193, 194, 497, 516]);

/** What an unavailable store suffers from. */
export function storeFailureOf({ kind, engineCode, message }: TelemetryError): StoreFailure {
  if (kind === 'timeout') return 'silent';
  const said = systemFailures.find(([pattern]) => pattern.test(message))?.[1];
  if (said) return said;
  if (engineCode === undefined) return 'unreachable';
  if (rejections.has(engineCode)) return 'refused';
  if (engineCode === 243) return 'full';
  if (engineCode === 242) return 'read_only';
  return [74, 75, 76, 77].includes(engineCode) ? 'failing' : 'busy';
}

/**
 * The body of a failed request as an error. `status` decides if the answer is not the engine's (a proxy's 502, say).
 */
export function engineErrorOf(status: number, codeHeader: string | undefined, body: string): TelemetryError {
  const code = Number(codeHeader ?? /Code: (\d+)\./.exec(body)?.[1] ?? Number.NaN);
  if (Number.isNaN(code)) {
    const kind = status >= 502 && status <= 504 ? 'unavailable' : 'unreadable';
    return new TelemetryError(kind, `the telemetry store answered with status ${status}`);
  }
  const message = body.slice(0, 2_000).trim();
  const isAway = lostServer.test(message) || systemFailures.some(([pattern]) => pattern.test(message));
  return new TelemetryError(isAway ? 'unavailable' : (kinds[code] ?? 'failed'), message, code);
}
