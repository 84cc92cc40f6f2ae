import pg from 'pg';
import { type StoreFailure, StoreUnavailableError } from '../../kernel/store-unavailable-error.ts';

/** SQLSTATE codes, and classes of two characters, that say more of the server than of the statement. */
const failuresByState: readonly (readonly [RegExp, StoreFailure])[] = [
  [/^53100$/, 'full'],
  [/^(53|40|55P03|57014)/, 'busy'],
  [/^(08|57P)/, 'unreachable'],
  [/^(28|3D000|42501)/, 'refused'],
  [/^25006$/, 'read_only'],
  [/^58/, 'failing'],
  [/^XX00[12]$/, 'damaged'],
];

/** What the pool says when all its connections are in use; other time-outs are the server's. */
const poolExhausted = 'timeout exceeded when trying to connect';

/** What the driver threw, as a failure of the server where it is one; everything else comes back as it is. */
export function toPostgresError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StoreUnavailableError) return error;
  // Mistakes of ours, such as a value of a kind that the driver cannot send.
  if (error instanceof TypeError || error instanceof RangeError) return error;
  const code = 'code' in error ? String(error.code) : undefined;
  if (error instanceof pg.DatabaseError) {
    const failure = failuresByState.find(([pattern]) => pattern.test(code ?? ''))?.[1];
    return failure ? new StoreUnavailableError('metadata', failure, code) : error;
  }
  // Whatever is not an answer of the server is a connection that failed.
  if (error.message === poolExhausted) return new StoreUnavailableError('metadata', 'busy', code);
  const silent = code === 'ETIMEDOUT' || /timeout/i.test(error.message);
  return new StoreUnavailableError('metadata', silent ? 'silent' : 'unreachable', code);
}
