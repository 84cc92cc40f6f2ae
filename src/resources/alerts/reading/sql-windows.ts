import type { TileVariable } from '../../../contract/variables.ts';
import type { Reading, WindowReadings } from '../../../evaluator/ports.ts';
import type { TimeRange } from '../../../query/chart-query.ts';
import type { SqlReader, SqlReading } from '../../charts/raw-sql/sql-reader.ts';
import type { SqlTile } from '../../charts/request/sql-tile.ts';
import { frameOfWindows, sqlSamples } from './sql-samples.ts';

export interface SqlWindowsRequest {
  tenantId: string;
  tile: SqlTile;
  variables: readonly TileVariable[];
  range: TimeRange;
  intervalMs: number;
  signal: AbortSignal;
}

/**
 * Past windows of a statement: over time as the buckets of one answer, of a number one by one. Throws as
 * `SqlReader.read` does.
 */
export async function readSqlWindows(
  reader: Pick<SqlReader, 'read'>,
  request: SqlWindowsRequest,
): Promise<WindowReadings> {
  const { tenantId, tile, variables, range, intervalMs, signal } = request;
  const options = { queryClass: 'background' as const, signal };
  const windows = windowsIn(range, intervalMs);
  const readings = new Map<number, Reading>();
  const cost = { rowsRead: 0, elapsedMs: 0 };
  const take = ({ columns, read: { statements } }: SqlReading, of: readonly TimeRange[]) => {
    for (const window of of) readings.set(window.startMs, sqlSamples(tile, columns, window));
    for (const { rowsRead, elapsedMs } of statements) {
      cost.rowsRead += rowsRead;
      cost.elapsedMs += elapsedMs;
    }
  };
  if (tile.layout === 'time')
    take(await reader.read(tenantId, tile, frameOfWindows(range, intervalMs, variables), options), windows);
  else
    for (const window of windows)
      take(await reader.read(tenantId, tile, frameOfWindows(window, intervalMs, variables), options), [window]);
  const all = [...readings.values()].flatMap((reading) => (reading.kind === 'samples' ? [reading] : []));
  return {
    of: (startMs) => readings.get(startMs) ?? { kind: 'samples', samples: [], missingIsZero: false, grouped: false },
    grouped: all.some(({ grouped }) => grouped),
    truncated: all.some(({ truncated }) => truncated === true),
    ...cost,
    warnings: [],
  };
}

function windowsIn({ startMs, endMs }: TimeRange, intervalMs: number): TimeRange[] {
  const count = Math.round((endMs - startMs) / intervalMs);
  return Array.from({ length: count }, (_, at) => ({
    startMs: startMs + at * intervalMs,
    endMs: startMs + (at + 1) * intervalMs,
  }));
}
