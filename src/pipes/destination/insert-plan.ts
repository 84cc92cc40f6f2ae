import { quoteName, quoteText } from '../../kernel/sql-quoting.ts';
import type { SourceBatch } from '../source-port.ts';
import type { TargetTable } from '../target-table.ts';
import type { LiveTable } from './live-table.ts';

/** How a batch becomes rows of its table. */
export interface InsertPlan {
  /** `INSERT INTO` that takes the bytes of a batch. */
  insert: string;
  /** The same without a table: says whether the bytes can be read. */
  probe: string;
  settings: Readonly<Record<string, string | number>>;
}

/** A field of the source and the column that it fills; without one it is read and dropped. */
interface Filled {
  /** Name in the records; any, where they are read by position. */
  field: string;
  column: string | undefined;
  type: string;
}

/** Every column, by its name in the source. Throws `NoColumnsError` when no field fills a column. */
export function insertPlan(
  place: string,
  target: TargetTable,
  live: LiveTable,
  batch: Pick<SourceBatch, 'format' | 'fields' | 'delimiter'>,
): InsertPlan {
  const { format } = batch;
  const filled = isByPosition(format) ? filledByPosition(target, live, batch.fields) : filledByName(target, live);
  const columns = filled.flatMap(({ column }) => (column === undefined ? [] : [column]));
  if (columns.length === 0) throw new NoColumnsError();
  const settings = batch.delimiter === undefined ? {} : { format_csv_delimiter: batch.delimiter };
  const structure = quoteText(filled.map(({ field, type }) => `${quoteName(field)} ${type}`).join(', '));
  const list = filled.filter(({ column }) => column !== undefined).map(({ field }) => quoteName(field));
  const rows = `SELECT ${list.join(', ')} FROM input(${structure}) FORMAT ${format}`;
  const into = `INSERT INTO ${place} (${columns.map(quoteName).join(', ')})`;
  const isDirect = filled.every(
    ({ field, column }) => column !== undefined && (isByPosition(format) || field === column),
  );
  const probed = filled
    .filter(({ column }) => column !== undefined)
    .map(({ field, type }) => `${quoteName(field)} ${type}`);
  return {
    insert: isDirect ? `${into} FORMAT ${format}` : `${into} ${rows}`,
    probe: `INSERT INTO FUNCTION null(${quoteText(probed.join(', '))}) ${rows}`,
    settings,
  };
}

/** No field of the records fills a column of the table. */
export class NoColumnsError extends Error {}

function isByPosition(format: SourceBatch['format']): boolean {
  return format === 'CSV' || format === 'TabSeparated';
}

function writable(target: TargetTable, live: LiveTable) {
  const wanted = target.columns && new Set(target.columns.map(({ name }) => name));
  return live.columns.filter(({ name, isComputed }) => !isComputed && (wanted?.has(name) ?? true));
}

function filledByName(target: TargetTable, live: LiveTable): Filled[] {
  const columns = writable(target, live);
  if (target.mappings.length === 0) return columns.map(({ name, type }) => ({ field: name, column: name, type }));
  const types = new Map(columns.map(({ name, type }) => [name, type]));
  return target.mappings.flatMap(({ sourceField, destinationField }) => {
    const type = types.get(destinationField);
    return type === undefined ? [] : [{ field: sourceField, column: destinationField, type }];
  });
}

/** Without names in the source, fields are those of the mappings, or the columns, in their order. */
function filledByPosition(target: TargetTable, live: LiveTable, fields: readonly string[] | undefined): Filled[] {
  const named = filledByName(target, live);
  const order =
    target.mappings.length === 0 && !fields && target.columns ? target.columns.map(({ name }) => name) : fields;
  if (!order) return named.map((filled, index) => ({ ...filled, field: `f${index}` }));
  const byField = new Map(named.map((filled) => [filled.field, filled]));
  return order.map((name, index) => ({
    field: `f${index}`,
    column: byField.get(name)?.column,
    type: byField.get(name)?.type ?? 'String',
  }));
}
