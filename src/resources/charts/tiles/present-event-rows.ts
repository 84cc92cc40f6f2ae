import type { TileAnswer } from '../../../contract/tile-query.ts';
import type { EventsFound } from './event-search.ts';

const isTime = /^(Nullable\()?DateTime/;

/** The events of a search tile; maps and lists are JSON text. */
export function presentEventRows(found: EventsFound, limit: number): Omit<TileAnswer, 'ref'> {
  const { columns, types, rows, rowsRead, bytesRead, elapsedMs } = found;
  return {
    displayType: 'search',
    columns: columns.map((name, at) => ({
      name,
      kind: 'group',
      ...(isTime.test(types[at] ?? '') && { type: 'time' }),
    })),
    rows: rows.map((row) => row.map(cellOf)),
    meta: { rowsRead, bytesRead, elapsedMs, cache: 'off', exact: true, truncated: rows.length >= limit },
  };
}

function cellOf(value: unknown): string | number | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'number') return value;
  return typeof value === 'boolean' ? String(value) : JSON.stringify(value);
}
