import { formatSeconds } from '../../charts/format-value.ts';
import { textOf } from './event-columns.ts';
import { formatEventTime, timeOfDay } from './event-text.ts';
import type { ListColumn } from './list-columns.ts';
import type { ListRow } from './search-queries.ts';

/** More than a screen shows of one cell. */
const shownLength = 2000;
const isoTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;

/** What a row shows in a column. */
export function cellText(row: ListRow, { kind, expression }: ListColumn): string {
  switch (kind) {
    case 'time':
      return formatEventTime(row.time);
    case 'level':
      return row.level || '–';
    case 'service':
      return row.service;
    case 'text':
      return row.text.slice(0, shownLength);
    case 'duration':
      return row.durationNs === undefined ? '' : formatSeconds(row.durationNs / 1e9);
    case 'field': {
      const text = textOf(row.cells[expression]).slice(0, shownLength);
      return isoTime.test(text) ? formatEventTime(text) : text;
    }
  }
}

/** As `cellText`, with the time of day alone: where there is little room. */
export function shortCellText(row: ListRow, column: ListColumn): string {
  return column.kind === 'time' ? timeOfDay(row.time) : cellText(row, column);
}
