import type { NumberFormat } from '../../../../src/contract/number-format.ts';
import type { AggregateFunction, MetricDataType } from '../../../../src/contract/series.ts';
import type { Tile } from '../../../../src/contract/tile.ts';
import { type DisplayType, displayTypeOf } from '../dashboards/tile-look.ts';

/** One aggregate of the tile that is being edited. */
export interface DraftItem {
  aggFn: AggregateFunction;
  field: string;
  level: number;
  where: string;
  whereLanguage: 'lucene' | 'sql';
  alias: string;
  metricName: string;
  metricType: MetricDataType;
}

/** A tile as the editor's form has it; both forms of the contract are read into it and written from it. */
export interface TileDraft {
  name: string;
  displayType: DisplayType;
  sourceId: string;
  items: DraftItem[];
  groupBy: string;
  /** Over A, B, C …; empty = none. */
  formula: string;
  numberFormat: NumberFormat | undefined;
  /** Columns of a search. */
  columns: string;
  markdown: string;
}

export const emptyItem: DraftItem = {
  aggFn: 'count',
  field: '',
  level: 0.95,
  where: '',
  whereLanguage: 'lucene',
  alias: '',
  metricName: '',
  metricType: 'gauge',
};

/** The form's content for a stored or a new tile. */
export function draftOf(tile: Tile): TileDraft {
  const blank: TileDraft = {
    name: tile.name ?? '',
    displayType: displayTypeOf(tile),
    sourceId: '',
    items: [{ ...emptyItem }],
    groupBy: '',
    formula: '',
    numberFormat: undefined,
    columns: '',
    markdown: '',
  };
  return tile.config ? { ...blank, ...draftOfConfig(tile.config) } : { ...blank, ...draftOfSeries(tile) };
}

/** Fields of any config form, read leniently: what a form lacks stays blank. */
interface AnyConfig {
  sourceId?: string;
  select?: unknown;
  groupBy?: string;
  formulas?: { expression: string }[];
  numberFormat?: NumberFormat;
  where?: string;
  whereLanguage?: 'lucene' | 'sql';
  markdown?: string;
}

function draftOfConfig(config: NonNullable<Tile['config']>): Partial<TileDraft> {
  const { sourceId = '', select, groupBy = '', formulas, numberFormat, markdown = '', ...filter } = config as AnyConfig;
  const items = Array.isArray(select) ? select.map(itemOfSelect) : [{ ...emptyItem, ...filterOf(filter) }];
  const columns = typeof select === 'string' ? select : '';
  return { sourceId, items, groupBy, formula: formulas?.[0]?.expression ?? '', numberFormat, columns, markdown };
}

interface AnySelect extends Partial<DraftItem> {
  valueExpression?: string;
}

function itemOfSelect(select: AnySelect): DraftItem {
  const { valueExpression = '', ...rest } = select;
  return { ...emptyItem, ...rest, field: valueExpression };
}

function filterOf({ where = '', whereLanguage = 'lucene' as const }: AnyConfig) {
  return { where, whereLanguage };
}

function draftOfSeries({ series = [] }: Tile): Partial<TileDraft> {
  const first = series[0];
  if (!first) return {};
  const items = series.map(
    (one): DraftItem => ({
      aggFn: one.aggFn ?? 'count',
      field: one.field ?? '',
      level: one.level ?? emptyItem.level,
      where: one.where ?? '',
      whereLanguage: one.whereLanguage ?? 'lucene',
      alias: one.alias ?? '',
      metricName: one.metricName ?? '',
      metricType: one.metricDataType ?? 'gauge',
    }),
  );
  return {
    sourceId: first.sourceId ?? '',
    items,
    groupBy: (first.groupBy ?? []).join(', '),
    numberFormat: first.numberFormat,
    columns: (first.fields ?? []).join(', '),
    markdown: first.content ?? '',
  };
}

const grouped = new Set<DisplayType>(['line', 'stacked_bar', 'table', 'pie', 'bar']);
const single = new Set<DisplayType>(['pie', 'bar']);
const withFormulas = new Set<DisplayType>(['line', 'stacked_bar', 'table', 'number']);

export const isGrouped = (type: DisplayType) => grouped.has(type);
export const takesSeveral = (type: DisplayType) => withFormulas.has(type);

/** The tile with what the form says, written as `config`; what the form does not know is kept. */
export function tileOf(draft: TileDraft, before: Tile, isMetric: boolean): Tile {
  const { series: _series, asRatio: _asRatio, config, ...place } = before;
  const kept = config?.displayType === draft.displayType ? config : {};
  return {
    ...place,
    name: draft.name,
    config: { ...kept, ...configOf(draft, isMetric) } as NonNullable<Tile['config']>,
  };
}

function configOf(draft: TileDraft, isMetric: boolean): Record<string, unknown> {
  const { displayType, sourceId, groupBy, formula, numberFormat, columns, markdown } = draft;
  if (displayType === 'markdown') return { displayType, markdown };
  const first = draft.items[0] ?? emptyItem;
  if (displayType === 'search') {
    return { displayType, sourceId, select: columns, where: first.where, whereLanguage: first.whereLanguage };
  }
  const hasFormula = formula.trim() !== '' && withFormulas.has(displayType);
  const one = single.has(displayType) || (displayType === 'number' && !hasFormula);
  const items = one ? draft.items.slice(0, 1) : draft.items;
  return {
    displayType,
    sourceId,
    select: items.map((item) => selectOf(item, isMetric)),
    ...(isGrouped(displayType) ? { groupBy: groupBy.trim() === '' ? undefined : groupBy } : {}),
    ...(withFormulas.has(displayType) ? { formulas: hasFormula ? [{ expression: formula }] : undefined } : {}),
    numberFormat,
  };
}

function selectOf(item: DraftItem, isMetric: boolean): Record<string, unknown> {
  const { aggFn, field, level, where, whereLanguage, alias, metricName, metricType } = item;
  const counted = aggFn === 'count';
  return {
    aggFn,
    valueExpression: isMetric && !counted ? field || 'Value' : counted ? '' : field,
    where,
    whereLanguage,
    ...(alias === '' ? {} : { alias }),
    ...(aggFn === 'quantile' ? { level } : {}),
    ...(isMetric ? { metricName, metricType } : {}),
  };
}
