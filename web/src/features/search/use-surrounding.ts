import { useQuery } from '@tanstack/react-query';
import { fetchData } from '../../api/client.ts';
import type { EventRow } from './event-columns.ts';
import { timestampOf } from './event-columns.ts';
import { findByKey } from './event-key.ts';
import { fieldsOf, type ListColumn } from './list-columns.ts';
import { type EventSearch, type ListRow, listBody, readListRow } from './search-queries.ts';
import { rangesAround, type Span } from './surrounding.ts';

/** Of either side: the nearest ones. */
export const sideRows = 500;

export interface Surrounding {
  /** Newest first, with the event itself among them. */
  rows: ListRow[];
  /** There are more before or after, within the time asked for. */
  isCutOff: boolean;
}

export interface SurroundingRequest {
  source: EventSearch['source'];
  columns: readonly ListColumn[];
  row: EventRow | undefined;
  /** Key of `row`. */
  origin: string;
  /** Filter in SQL; `undefined` = the scope does not apply. */
  where: string | undefined;
  span: Span;
}

/** The events before and after one. */
export function useSurrounding({ source, columns, row, origin, where, span }: SurroundingRequest) {
  return useQuery({
    queryKey: ['surrounding', source.id, origin, where, span.id, fieldsOf(columns)],
    enabled: row !== undefined && where !== undefined,
    staleTime: 30_000,
    queryFn: async ({ signal }): Promise<Surrounding> => {
      if (!row) return { rows: [], isCutOff: false };
      const ranges = rangesAround(row, span);
      const read = async (range: EventSearch['range'], direction: 'ASC' | 'DESC') => {
        const search: EventSearch = { source, where: where ?? '', language: 'sql', range };
        const orderBy = `${timestampOf(source)} ${direction}`;
        const body = { ...listBody(search, { columns, orderBy }), maxResults: sideRows };
        const answers = await fetchData<Record<string, unknown>[]>('search', { method: 'POST', body, signal });
        return answers.map((answer) => readListRow(answer, source, columns));
      };
      const [later, earlier] = await Promise.all([read(ranges.later, 'ASC'), read(ranges.earlier, 'DESC')]);
      const isCutOff = later.length === sideRows || earlier.length === sideRows;
      return { rows: withOrigin([...later.reverse(), ...earlier], row, origin), isCutOff };
    },
  });
}

/** Where the millisecond of the event holds more than one side shows, the event is there still. */
function withOrigin(rows: ListRow[], row: EventRow, origin: string): ListRow[] {
  if (findByKey(rows, origin)) return rows;
  const at = rows.findIndex(({ time }) => time <= row.time);
  return rows.toSpliced(at === -1 ? rows.length : at, 0, { ...row, cells: {} });
}
