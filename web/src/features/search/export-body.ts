import type { SourceField } from '../../../../src/contract/completion.ts';
import { type ExportFormat, exportRowsMax } from '../../../../src/contract/export-format.ts';
import type { SearchExportRequest } from '../../../../src/contract/search-export.ts';
import type { ListView } from './list-columns.ts';
import type { EventSearch } from './search-queries.ts';

/** More than the API takes. */
const columnsMax = 100;

/** The body of an export of this search; `select` in place of the columns of the list. */
export function exportBody(
  { source, where, language, range }: EventSearch,
  { columns, orderBy }: Pick<ListView, 'columns' | 'orderBy'>,
  { format, select }: { format: ExportFormat; select?: string },
): SearchExportRequest {
  return {
    sourceId: source.id,
    startTime: new Date(range.startMs).toISOString(),
    endTime: new Date(range.endMs).toISOString(),
    where,
    whereLanguage: language,
    select: select ?? columns.map(({ item }) => item).join(', '),
    ...(orderBy === '' ? {} : { orderBy }),
    format,
  };
}

export function allColumnsOf(fields: readonly SourceField[]): string {
  return fields
    .filter(({ kind }) => kind === 'column')
    .slice(0, columnsMax)
    .map(({ sql }) => sql)
    .join(', ');
}

/** What the file will hold, the limit included. */
export function exportSentence(total: number | undefined, orderBy: string): string {
  const number = (value: number) => value.toLocaleString('en-US');
  const which = orderBy === '' ? 'newest' : 'first';
  if (total === undefined) return `Exports the ${which} ${number(exportRowsMax)} events at most.`;
  if (total <= exportRowsMax) return `Exports ${total === 1 ? '1 event' : `all ${number(total)} events`}.`;
  return `Exports the ${which} ${number(exportRowsMax)} of ${number(total)} events.`;
}
