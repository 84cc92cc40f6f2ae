import { type StoreFailure, StoreUnavailableError } from '../../kernel/store-unavailable-error.ts';

/** Extended codes begin with their plain one: SQLITE_IOERR_FSYNC, SQLITE_BUSY_SNAPSHOT, … */
const failuresByCode: readonly (readonly [RegExp, StoreFailure])[] = [
  [/^SQLITE_(BUSY|LOCKED|INTERRUPT|NOMEM)/, 'busy'],
  [/^SQLITE_FULL/, 'full'],
  [/^SQLITE_(READONLY|PERM|AUTH)/, 'read_only'],
  [/^SQLITE_(IOERR|CANTOPEN|NOLFS|PROTOCOL)/, 'failing'],
  [/^SQLITE_(CORRUPT|NOTADB)/, 'damaged'],
];

/** What the library threw, as a failure of the disk or of the file where it is one; everything else as it is. */
export function toLibsqlError(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  const code = String(error.code);
  const failure = failuresByCode.find(([pattern]) => pattern.test(code))?.[1];
  return failure ? new StoreUnavailableError('metadata', failure, code) : error;
}
