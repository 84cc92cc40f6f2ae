/** One row of a dump. Both stores have the same columns, with the same values. */
export interface MetadataRow {
  table: string;
  row: Readonly<Record<string, string | number | null>>;
}

/** As one line of a file, without its end. */
export function renderRow({ table, row }: MetadataRow): string {
  return JSON.stringify([table, row]);
}

/** @throws {SyntaxError} for anything but a line of `renderRow` */
export function parseRow(line: string): MetadataRow {
  const parsed: unknown = JSON.parse(line);
  if (Array.isArray(parsed) && parsed.length === 2) {
    const [table, row]: unknown[] = parsed;
    if (typeof table === 'string' && isRow(row)) return { table, row };
  }
  throw new SyntaxError('not a row of a metadata dump');
}

function isRow(value: unknown): value is MetadataRow['row'] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.entries(value).every(
    ([column, cell]) => /^[a-z_]+$/.test(column) && (cell === null || ['string', 'number'].includes(typeof cell)),
  );
}
