import type { TileAnswer } from '../../../contract/tile-query.ts';
import type { EventsFound } from './event-search.ts';

/** The events of a search tile; maps and lists are JSON text. */
export function presentEventRows(found: EventsFound, limit: number): Omit<TileAnswer, 'ref'> {
  const { columns, rows, rowsRead, bytesRead, elapsedMs } = found;
  return {
    displayType: 'search',
    columns: columns.map((name) => ({ name, kind: 'group' })),
    rows: rows.map((row) => row.map(cellOf)),
    meta: { rowsRead, bytesRead, elapsedMs, cache: 'off', exact: true, truncated: rows.length >= limit },
  };
}

function cellOf(value: unknown): string | number | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'number') return value;
  return typeof value === 'boolean' ? String(value) : JSON.stringify(value);
}
