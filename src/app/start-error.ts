import { ConfigError } from '../config/config-error.ts';
import { DataFolderLockedError, EngineStartError } from '../engine/supervisor.ts';
import { MetadataError } from '../metadata/metadata-error.ts';
import { storeFailureOf } from '../telemetry/engine-errors.ts';
import { TelemetryError } from '../telemetry/ports.ts';
import { ProvisioningError } from './provisioning/provisioning-problem.ts';

/** A start that can't work, in one sentence for the person who started the program. */
export class StartError extends Error {
  constructor(sentence: string, options?: ErrorOptions) {
    super(sentence, options);
    this.name = 'StartError';
  }
}

/** The sentence for errors that a person can fix; `undefined` for others, which are bugs. */
export function toStartError(error: unknown): StartError | undefined {
  if (error instanceof StartError) return error;
  if (!(error instanceof Error)) return undefined;
  if (error instanceof DataFolderLockedError) return new StartError(`SIGNALBOX_DATA_DIR: ${error.message}.`);
  if (error instanceof EngineStartError) return new StartError(engineSentence(error));
  if (error instanceof TelemetryError) return new StartError(telemetrySentence(error));
  if (error instanceof MetadataError)
    return new StartError(`${error.message}${inBrackets(error.cause)}`, { cause: error });
  if (error instanceof ConfigError || error instanceof ProvisioningError) {
    return new StartError(error.message);
  }
  return systemStartError(error);
}

/** By the operating system's code, or what engine and libraries make of it. */
const systemReasons: readonly (readonly [RegExp, string])[] = [
  [/ENOSPC|EDQUOT|No space left|SQLITE_FULL|Code: 243\b/, 'the disk is full'],
  [/EROFS|Read-only file system|SQLITE_READONLY/, 'the file system is read-only'],
  [/EMFILE|ENFILE|Too many open files/, 'too many files are open; raise the limit (ulimit -n)'],
  [/EACCES|EPERM|Permission denied/, 'this user has no permission'],
  [/ENOTDIR|EEXIST|Not a directory/, 'there is a file where a folder should be'],
  [/EISDIR|Is a directory/, 'there is a folder where a file should be'],
  [/EIO\b|Input\/output error|SQLITE_IOERR/, 'the disk reports an error'],
];

function systemReason(text: string): string | undefined {
  return systemReasons.find(([pattern]) => pattern.test(text))?.[1];
}

/** A file that could not be read or written while the program started. */
function systemStartError(error: Error): StartError | undefined {
  const { code, path }: Error & { code?: unknown; path?: unknown } = error;
  const reason = systemReason(String(code ?? ''));
  if (!reason) return undefined;
  const where = typeof path === 'string' ? `${path} can't be used` : 'The program could not start';
  return new StartError(`${where}: ${reason}.`, { cause: error });
}

/** The full output of the engine is in the data folder. */
function engineSentence({ message, errorOutput }: EngineStartError): string {
  const reason = systemReason(`${message} ${errorOutput}`);
  if (reason) return `SIGNALBOX_DATA_DIR: the embedded engine did not start: ${reason}.`;
  const code = /Code: (\d+)\./.exec(errorOutput)?.[1];
  return `${code === undefined ? message : `the embedded engine did not start (its error code: ${code})`}; see engine-errors.txt in SIGNALBOX_DATA_DIR.`;
}

function telemetrySentence(error: TelemetryError): string {
  const { message, engineCode, kind } = error;
  const code = engineCode === undefined ? '' : ` (its error code: ${engineCode})`;
  if (storeFailureOf(error) === 'refused') {
    return `SIGNALBOX_CLICKHOUSE_URL: the server rejects the user, the password or what the user may do${code}.`;
  }
  if (kind === 'unreadable') return 'SIGNALBOX_CLICKHOUSE_URL: what answers there is not a ClickHouse server.';
  const reason = systemReason(`Code: ${engineCode}. ${message}`);
  return `The tables of the telemetry store could not be made ready: ${reason ?? `it answered with error ${engineCode ?? kind}`}.`;
}

function inBrackets(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  if (code === '') return '';
  return ` (${systemReason(code) ?? code})`;
}
