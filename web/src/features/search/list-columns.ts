import { splitExpressions } from '../../../../src/contract/split-expressions.ts';
import { type EventSource, selectOfRows, standardExpressions } from './event-columns.ts';

/** What a column shows; `field` is any value that the source has no special place for. */
export type ColumnKind = 'time' | 'level' | 'service' | 'text' | 'duration' | 'field';

/** One column of the list of events. */
export interface ListColumn {
  kind: ColumnKind;
  /** As SQL writes it, without its alias. */
  expression: string;
  /** As it is written in a `select`, with its alias if it has one. */
  item: string;
  label: string;
}

/** How a list shows what was found; the address and saved searches hold it as text. */
export interface ListView {
  columns: readonly ListColumn[];
  /** The columns are those that the page shows unless asked for others. */
  isStandard: boolean;
  /** `orderBy` of the request; empty = newest first. */
  orderBy: string;
  wrap: boolean;
}

const labels: Record<EventSource['kind'], Record<Exclude<ColumnKind, 'field'>, string>> = {
  log: { time: 'Time', level: 'Severity', service: 'Service', text: 'Message', duration: 'Duration' },
  trace: { time: 'Time', level: 'Status', service: 'Service', text: 'Span', duration: 'Duration' },
};

const standardKinds = ['time', 'level', 'service', 'text', 'duration'] as const;

/** Time, level, service, text and, of spans, duration, as far as the source has them. */
export function standardColumns(source: EventSource): ListColumn[] {
  const expressions = standardExpressions(source);
  return standardKinds.flatMap((kind) => {
    const expression = expressions[kind];
    return expression ? [{ kind, expression, item: expression, label: labels[source.kind][kind] }] : [];
  });
}

const aliased = /^(.*\S)\s+as\s+(?:"([^"]+)"|`([^`]+)`|([A-Za-z_][\w.]*))$/is;

/** The columns of a `select`; those of `standardColumns` if it names none. */
export function readColumns(select: string, source: EventSource): ListColumn[] {
  const standard = standardColumns(source);
  const items = [...new Set(splitExpressions(select))];
  if (items.length === 0) return standard;
  return items.map((item) => {
    const [, written, ...names] = aliased.exec(item) ?? [];
    const alias = names.find((name) => name !== undefined);
    const expression = written ?? item;
    const known = standard.find((column) => column.expression === expression);
    if (known) return { ...known, item, label: alias ?? known.label };
    return { kind: 'field', expression, item, label: alias ?? fieldLabel(expression) };
  });
}

/** `http.route` of `LogAttributes['http.route']`; anything else as it is written. */
function fieldLabel(expression: string): string {
  const key = /^\w+\['((?:[^'\\]|\\.)*)'\]$/.exec(expression)?.[1];
  return key === undefined ? expression.replace(/^`(.*)`$/, '$1') : key.replace(/\\(.)/g, '$1');
}

/** The `select` of these columns; empty for the standard ones. */
export function printColumns(columns: readonly ListColumn[], source: EventSource): string {
  const text = columns.map(({ item }) => item).join(', ');
  const standard = standardColumns(source).map(({ item }) => item);
  return text === standard.join(', ') ? '' : text;
}

/** What is read besides what every line needs; the same in whatever order the columns are. */
export function fieldsOf(columns: readonly ListColumn[]): string[] {
  return columns
    .filter(({ kind }) => kind === 'field')
    .map(({ expression }) => expression)
    .toSorted();
}

const cellKey = (index: number) => `sb_c${index}`;

/** The `select` of a request that fills the list: what every line needs, then the fields of the columns. */
export function selectOfList(source: EventSource, columns: readonly ListColumn[]): string {
  const cells = fieldsOf(columns).map((expression, index) => `${expression} AS ${cellKey(index)}`);
  return [selectOfRows(source), ...cells].join(', ');
}

/** The values of the fields of an answer to `selectOfList`, by expression. */
export function cellsOf(answer: Record<string, unknown>, columns: readonly ListColumn[]): Record<string, unknown> {
  return Object.fromEntries(fieldsOf(columns).map((expression, index) => [expression, answer[cellKey(index)]]));
}

/** The same columns with this one at the end; unchanged if it is there. */
export function withColumn(columns: readonly ListColumn[], expression: string, source: EventSource): ListColumn[] {
  if (columns.some((column) => column.expression === expression)) return [...columns];
  return [...columns, ...readColumns(expression, source)];
}

export function withoutColumn(columns: readonly ListColumn[], expression: string): ListColumn[] {
  return columns.filter((column) => column.expression !== expression);
}

/** The column one place further left (-1) or right (+1). */
export function movedColumn(columns: readonly ListColumn[], expression: string, by: -1 | 1): ListColumn[] {
  const from = columns.findIndex((column) => column.expression === expression);
  const moved = columns[from];
  if (!moved || !columns[from + by]) return [...columns];
  return columns.toSpliced(from, 1).toSpliced(from + by, 0, moved);
}
