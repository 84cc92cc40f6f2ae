import { QueryTextError } from '../compiled-query.ts';

export interface ParsedOrdering {
  readonly column: string;
  readonly descending: boolean;
}

const ordering = /^\s*(?:"([^"]+)"|`([^`]+)`|([A-Za-z_][\w.]*))(?:\s+(asc|desc))?\s*$/i;

/** `Column [ASC|DESC], …`; nothing but columns of the table. Throws `QueryTextError` with the position. */
export function parseOrder(text: string, columns: ReadonlyMap<string, unknown>): ParsedOrdering[] {
  let start = 0;
  return text.split(',').map((part) => {
    const end = start + part.length;
    const match = ordering.exec(part);
    const column = match?.[1] ?? match?.[2] ?? match?.[3] ?? '';
    const at = start + part.length - part.trimStart().length;
    start = end + 1;
    if (!match) throw new QueryTextError('a column with ASC or DESC is expected here', at, end);
    if (!columns.has(column)) throw new QueryTextError(`there is no column "${column}" to order by`, at, end);
    return { column, descending: match[4]?.toLowerCase() === 'desc' };
  });
}
