import type { SourceKind } from '../../../../src/contract/source.ts';
import type { SourceDraft } from './source-draft.ts';

/** One entry of a list in a source; keys that have no column in the form stay. */
export type SourceRow = Readonly<Record<string, unknown>>;

export interface RowColumn {
  key: string;
  label: string;
}

/** A list of a source that is edited row by row. */
export interface RowGroup {
  /** Its path in the body. */
  path: string;
  title: string;
  /** One of them, after "Add". */
  noun: string;
  columns: readonly RowColumn[];
  rowsMax: number;
}

const settings: RowGroup = {
  path: 'querySettings',
  title: 'Query settings',
  noun: 'setting',
  columns: [
    { key: 'setting', label: 'Setting' },
    { key: 'value', label: 'Value' },
  ],
  rowsMax: 10,
};

const highlighted = (path: string, title: string): RowGroup => ({
  path,
  title,
  noun: 'attribute',
  columns: [
    { key: 'sqlExpression', label: 'SQL' },
    { key: 'luceneExpression', label: 'Lucene' },
    { key: 'alias', label: 'Alias' },
  ],
  rowsMax: 100,
});

const ofEvents = [
  highlighted('highlightedRowAttributeExpressions', 'Highlighted attributes of an event'),
  highlighted('highlightedTraceAttributeExpressions', 'Highlighted attributes of a trace'),
  settings,
];

export const rowGroupsOfKind: Record<SourceKind, readonly RowGroup[]> = {
  log: ofEvents,
  trace: ofEvents,
  metric: [settings],
  session: [settings],
  promql: [settings],
};

/** Parts that the form shows and does not edit. */
export const unedited = ['materializedViews', 'metadataMaterializedViews'] as const;

export function rowsAt(draft: SourceDraft, { path }: RowGroup): readonly SourceRow[] {
  const rows = draft[path];
  return Array.isArray(rows) ? rows : [];
}

export function textAt(row: SourceRow, key: string): string {
  const value = row[key];
  return typeof value === 'string' ? value : '';
}

/** The row with another text; an empty one is left out, as the API has it. */
export function withText(row: SourceRow, key: string, text: string): SourceRow {
  const { [key]: _, ...others } = row;
  return text === '' ? others : { ...row, [key]: text };
}

/** As it is sent: rows in which nothing was written yet are left out. */
export function withoutBlankRows(draft: SourceDraft): SourceDraft {
  const lists = rowGroupsOfKind[draft.kind]
    .map((group) => ({ group, rows: rowsAt(draft, group) }))
    .filter(({ rows }) => rows.some(isBlank))
    .map(({ group, rows }) => [group.path, rows.filter((row) => !isBlank(row))]);
  return lists.length === 0 ? draft : { ...draft, ...Object.fromEntries(lists) };
}

const isBlank = (row: SourceRow) => Object.keys(row).length === 0;
