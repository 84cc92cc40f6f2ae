import { TelemetryError } from '../../telemetry/ports.ts';
import { DestinationError } from '../destination-port.ts';

const away: ReadonlySet<string> = new Set(['timeout', 'cancelled', 'unavailable', 'limit', 'unreadable']);

/** What a failure of the store means for the pipe; the store's own words stay out of it. */
export function destinationErrorOf(error: unknown, table: string): unknown {
  if (!(error instanceof TelemetryError)) return error;
  if (error.kind === 'limit') {
    return new DestinationError('away', `Writing into ${table} took more memory than the database allows.`, error);
  }
  if (away.has(error.kind)) {
    return new DestinationError('away', 'The database of the destination cannot be reached right now.', error);
  }
  const code = error.engineCode === undefined ? '' : ` (ClickHouse error ${error.engineCode})`;
  return new DestinationError(
    'rejected',
    `The database rejects what the pipe does with the table ${table}${code}.`,
    error,
  );
}
