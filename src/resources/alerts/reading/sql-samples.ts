import { createHash } from 'node:crypto';
import { chartLimits } from '../../../contract/chart.ts';
import type { TileVariable } from '../../../contract/variables.ts';
import type { Reading, Sample } from '../../../evaluator/ports.ts';
import type { TimeRange } from '../../../query/chart-query.ts';
import type { ArrangedColumns } from '../../charts/raw-sql/arrange-columns.ts';
import { type SqlFrame, sqlVariables } from '../../charts/raw-sql/write-sql.ts';
import type { SqlTile } from '../../charts/request/sql-tile.ts';

type Samples = Extract<Reading, { kind: 'samples' }>;

/** A window, or several in a row, as the frame of a statement: without the filters of a dashboard. */
export function frameOfWindows(range: TimeRange, intervalMs: number, variables: readonly TileVariable[]): SqlFrame {
  return { range, intervalMs, originMs: range.startMs, conditions: [], variables: sqlVariables(variables) };
}

/**
 * What the alert evaluates (contract §3.4): of each row within the window the last number, by the columns that are
 * neither time nor number; of a number tile the last number of the first row.
 */
export function sqlSamples(tile: SqlTile, columns: ArrangedColumns, window: TimeRange): Samples {
  const { time } = columns;
  const last = columns.values.at(-1);
  const isNumber = tile.layout === 'number';
  const inWindow = (row: number) => {
    const timeMs = time.instantsMs[time.instantOf[row] ?? -1] ?? Number.NaN;
    return timeMs >= window.startMs && timeMs < window.endMs;
  };
  const all = Array.from({ length: isNumber ? Math.min(columns.rows, 1) : columns.rows }, (_, row) => row);
  const groups = isNumber ? [] : columns.groups;
  const samples = all
    .filter((row) => isNumber || inWindow(row))
    .map((row): Sample => {
      const group = groups.map(({ name, cells }) => ({ key: name, value: cells[row] ?? '' }));
      return { group, value: last?.cells[row] ?? null };
    });
  const isTruncated = samples.length > chartLimits.groupsMax;
  return {
    kind: 'samples',
    samples: samples.slice(0, chartLimits.groupsMax),
    missingIsZero: last?.isCount ?? false,
    grouped: groups.length > 0,
    mayRepeat: true,
    ...(isTruncated && { truncated: true }),
    fingerprint: fingerprintOf(tile),
  };
}

/** Changes when the statement does (decisions A3). */
function fingerprintOf({ template, connectionId, sourceId, layout }: SqlTile): string {
  const meaning = JSON.stringify([layout, template.trim(), connectionId, sourceId ?? null]);
  return createHash('sha256').update(meaning).digest('hex').slice(0, 32);
}
