import { AppError } from '../../../contract/errors.ts';
import { assertNever } from '../../../kernel/assert-never.ts';
import { TargetBlockedError } from '../../../kernel/target-blocked-error.ts';
import { settingRejections, TelemetryError } from '../../../telemetry/ports.ts';

const retryAfterSeconds = 2;

/** ClickHouse codes of `limit`, in words that say what to change. */
const limitTexts: Readonly<Record<number, string>> = {
  158: 'The query would read more rows than allowed; narrow the time range or the filter.',
  191: 'The query would track more distinct values than allowed; narrow the filter or group by fewer fields.',
  241: 'The query needs more memory than allowed; narrow the time range or group by fewer fields.',
  307: 'The query would read more bytes than allowed; narrow the time range or the filter.',
  396: 'The result has more rows or bytes than allowed; choose a coarser granularity, fewer groups or fewer fields.',
};

const refusedText = 'The connection of this source may not be called: ';
const unreadableText =
  'The server that answered is not a ClickHouse HTTP interface; check the address of the connection and any proxy in front of it.';

/** ClickHouse codes of an expression whose function got a value that it does not take. */
const argumentCodes: ReadonlySet<number> = new Set([
  36, // BAD_ARGUMENTS
  44, // ILLEGAL_COLUMN: a column where a constant is needed
  69, // ARGUMENT_OUT_OF_BOUND
  128, // TOO_LARGE_ARRAY_SIZE
  131, // TOO_LARGE_STRING_SIZE
  153, // ILLEGAL_DIVISION
  407, // DECIMAL_OVERFLOW
  427, // CANNOT_COMPILE_REGEXP
]);
const argumentText = 'A function in the query got a value that it does not accept; check its arguments.';

const settingText =
  'The database user of the connection may not change settings that the query needs, such as the time zone; give it `readonly = 2` or none.';
/** QUOTA_EXCEEDED. */
const quotaCode = 201;
const quotaText = 'The database user of the connection has used up its quota of queries; try again later.';

/** The number can be looked up; the words beside it may quote rows, hosts and statements. */
function failedText({ engineCode, connection }: TelemetryError): { public?: string } {
  if (engineCode === undefined) return {};
  if (connection !== undefined && settingRejections.has(engineCode)) return { public: settingText };
  if (connection !== undefined && engineCode === quotaCode) return { public: quotaText };
  return { public: `The query could not be run by the database (its error code: ${engineCode}).` };
}

/** The program's own store recovers automatically; for a connected database, the owner has to know which one it is. */
function awayText({ connection }: TelemetryError): { public?: string } {
  if (connection === undefined) return {};
  return { public: `The database of the connection "${connection}" cannot be reached at the moment; try again.` };
}

/**
 * A failed query as the client may see it (decisions C6): never SQL, hosts or stack traces. Errors of other kinds come
 * back as they are.
 */
export function toQueryAppError(error: unknown): unknown {
  if (error instanceof TargetBlockedError)
    return new AppError('query_invalid', { public: refusedText + error.message });
  if (!(error instanceof TelemetryError)) return error;
  // What the database said stays out of the log: it may quote what is stored there.
  const internal = error.engineCode === undefined ? error.kind : `${error.kind}, code ${error.engineCode}`;
  switch (error.kind) {
    case 'timeout':
      return new AppError('query_timeout', { internal, cause: error });
    case 'unavailable':
    case 'cancelled':
      return new AppError('engine_unavailable', { ...awayText(error), internal, retryAfterSeconds, cause: error });
    case 'limit':
      return new AppError('query_invalid', {
        public: limitTexts[error.engineCode ?? 0] ?? 'The query exceeds a limit on rows, groups or memory; narrow it.',
        internal,
        cause: error,
      });
    case 'unreadable':
      return new AppError('query_failed', { public: unreadableText, internal, cause: error });
    case 'failed':
      if (argumentCodes.has(error.engineCode ?? 0)) {
        return new AppError('query_invalid', { public: argumentText, internal, cause: error });
      }
      return new AppError('query_failed', { ...failedText(error), internal, cause: error });
    default:
      return assertNever(error.kind);
  }
}
