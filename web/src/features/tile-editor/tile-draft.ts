import { isMetricExpression } from '../../../../src/contract/metric-expression.ts';
import type { NumberFormat } from '../../../../src/contract/number-format.ts';
import type { OnClick } from '../../../../src/contract/on-click.ts';
import type { AggregateFunction, MetricDataType } from '../../../../src/contract/series.ts';
import type { Tile } from '../../../../src/contract/tile.ts';
import { type DisplayType, displayTypeOf } from '../dashboards/tile-look.ts';
import type { SourceRecord } from '../where-editor/source-queries.ts';
import { optionKeys, type TileOptions } from './tile-options.ts';

/** One aggregate of the tile that is being edited. */
export interface DraftItem {
  /** Place of the stored series or select item that it was read from; absent for a new one. */
  origin?: number;
  aggFn: AggregateFunction;
  field: string;
  level: number;
  where: string;
  whereLanguage: 'lucene' | 'sql';
  alias: string;
  metricName: string;
  metricType: MetricDataType;
  /** Of gauges: what each time series changed by. */
  periodAggFn: 'delta' | undefined;
}

export interface DraftFormula {
  /** As of items. */
  origin?: number;
  expression: string;
}

/** A tile as the editor's form has it; both forms of the contract are read into it. `write-tile.ts` writes it back. */
export interface TileDraft {
  name: string;
  /** What it shows, for its readers. */
  description: string;
  displayType: DisplayType;
  sourceId: string;
  items: DraftItem[];
  groupBy: string;
  /** Over A, B, C …; blank ones are none. */
  formulas: DraftFormula[];
  /** A / B. */
  asRatio: boolean;
  numberFormat: NumberFormat | undefined;
  /** Columns of a search; what holds the texts of event patterns, the source's own when blank. */
  columns: string;
  /** Of a heatmap: what each cell shows, the number of its events when blank. */
  amount: string;
  /** Of a heatmap: how its rows are spaced, by its values when absent. */
  scale: 'log' | 'linear' | undefined;
  markdown: string;
  /** The query is a statement of the user, and none of the above but name, display, source and format counts. */
  isSql: boolean;
  sql: string;
  /** What the display has beside its query: order, limits, colours … */
  options: TileOptions;
  /** Where the rows of a table lead. */
  onClick: OnClick | undefined;
  /** Where the statement runs: that of the source, if it has one. */
  connectionId: string;
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
  periodAggFn: undefined,
};

/** The form's content for a stored or a new tile. */
export function draftOf(tile: Tile): TileDraft {
  const blank: TileDraft = {
    name: tile.name ?? '',
    description: tile.description ?? '',
    displayType: displayTypeOf(tile),
    sourceId: '',
    items: [{ ...emptyItem }],
    groupBy: '',
    formulas: [],
    asRatio: false,
    numberFormat: undefined,
    columns: '',
    amount: '',
    scale: undefined,
    markdown: '',
    isSql: false,
    sql: '',
    options: {},
    onClick: undefined,
    connectionId: '',
  };
  return tile.config ? { ...blank, ...draftOfConfig(tile.config) } : { ...blank, ...draftOfSeries(tile) };
}

/** Fields of any config form, read leniently: what a form lacks stays blank. */
interface AnyConfig {
  sourceId?: string;
  select?: unknown;
  groupBy?: string;
  formulas?: { expression: string }[];
  asRatio?: boolean;
  numberFormat?: NumberFormat;
  where?: string;
  whereLanguage?: 'lucene' | 'sql';
  markdown?: string;
  configType?: string;
  sqlTemplate?: string;
  onClick?: OnClick;
  connectionId?: string;
}

function draftOfConfig(config: NonNullable<Tile['config']>): Partial<TileDraft> {
  const { sourceId = '', select, groupBy = '', numberFormat, markdown = '', ...rest } = config as AnyConfig;
  const { where = '', whereLanguage = 'lucene', asRatio = false } = rest;
  const heatmap = config.displayType === 'heatmap' ? draftOfHeatmap(config) : undefined;
  const items = heatmap?.items ?? itemsOf(select, { where, whereLanguage });
  const columns = typeof select === 'string' ? select : '';
  const formulas = (rest.formulas ?? []).map(({ expression }, origin) => ({ origin, expression }));
  const isSql = rest.configType === 'sql';
  const { sqlTemplate: sql = '', connectionId = '', onClick } = rest;
  const query = { sourceId, items, groupBy, formulas, asRatio, columns, isSql, sql, connectionId };
  const options = pickedOptions(config);
  return { ...query, ...heatmap, numberFormat, markdown, onClick, options };
}

function itemsOf(select: unknown, filter: Pick<DraftItem, 'where' | 'whereLanguage'>): DraftItem[] {
  return Array.isArray(select) ? select.map(itemOfSelect) : [{ ...emptyItem, ...filter }];
}

type HeatmapConfig = Extract<Tile['config'], { displayType: 'heatmap' }>;

/** Its number is the field of its only item. */
function draftOfHeatmap({ select: [first], where = '', whereLanguage = 'lucene' }: HeatmapConfig) {
  const { valueExpression: field = '', countExpression: amount = '', heatmapScaleType: scale } = first ?? {};
  return { items: [{ ...emptyItem, origin: 0, field, where, whereLanguage }], amount, scale };
}

function pickedOptions(config: NonNullable<Tile['config']>): TileOptions {
  const keys = optionKeys(config.displayType, config.configType === 'sql');
  return Object.fromEntries(Object.entries(config).filter(([key]) => keys.includes(key)));
}

interface AnySelect extends Partial<Omit<DraftItem, 'field' | 'origin'>> {
  valueExpression?: string;
}

function itemOfSelect({ valueExpression: field = '', ...select }: AnySelect, origin: number): DraftItem {
  return itemOf(origin, { ...select, field });
}

function draftOfSeries({ series = [], asRatio = false }: Tile): Partial<TileDraft> {
  const first = series[0];
  if (!first) return {};
  return {
    sourceId: first.sourceId ?? '',
    items: series.map(({ metricDataType: metricType, ...one }, origin) =>
      itemOf(origin, { ...one, ...(metricType ? { metricType } : {}) }),
    ),
    groupBy: (first.groupBy ?? []).join(', '),
    asRatio,
    numberFormat: first.numberFormat,
    columns: (first.fields ?? []).join(', '),
    markdown: first.content ?? '',
  };
}

function itemOf(origin: number, stored: Partial<DraftItem>): DraftItem {
  const { aggFn = emptyItem.aggFn, field = '', where = '', whereLanguage = 'lucene', alias = '' } = stored;
  const { metricName = '', metricType = emptyItem.metricType, periodAggFn } = stored;
  // decisions C7: a quantile without level is the median.
  const { level = aggFn === 'quantile' ? 0.5 : emptyItem.level } = stored;
  return { origin, aggFn, field, level, where, whereLanguage, alias, metricName, metricType, periodAggFn };
}

const grouped = new Set<DisplayType>(['line', 'stacked_bar', 'stacked_line', 'table', 'pie', 'bar']);
const withSeveral = new Set<DisplayType>(['line', 'stacked_bar', 'stacked_line', 'table', 'number']);

const ofEvents = new Set<DisplayType>(['search', 'event_patterns', 'heatmap']);
/** It shows events themselves, narrowed by one filter, instead of aggregates. */
export const showsEvents = (type: DisplayType) => ofEvents.has(type);

/** Whether the display can show events, or data points, of a source of this kind. */
export function canShow(type: DisplayType, kind: SourceRecord['kind']): boolean {
  if (type === 'heatmap') return kind === 'trace';
  return !showsEvents(type) || kind === 'log' || kind === 'trace';
}

/** Whether the series is of something whose change over a bucket can be drawn instead. */
export const canBeChange = ({ metricName, metricType }: DraftItem) => metricName !== '' && metricType === 'gauge';

const ofOneValue = new Set<MetricDataType>(['gauge', 'sum']);
/** Whether something can be calculated of its values, or is. */
export const canBeCalculated = ({ metricName, metricType, field, aggFn }: DraftItem) =>
  metricName !== '' && aggFn !== 'count' && (ofOneValue.has(metricType) || isMetricExpression({ field, metricName }));

const ofSql = new Set<DisplayType>(['line', 'stacked_bar', 'stacked_line', 'number', 'table', 'bar', 'pie']);
/** Whether a statement can be drawn so. */
export const takesSql = (type: DisplayType) => ofSql.has(type);
/** Whether the draft is a statement that its display can draw. */
export const isStatement = ({ isSql, displayType }: TileDraft) => isSql && takesSql(displayType);

export const isGrouped = (type: DisplayType) => grouped.has(type);
/** It shows several aggregates, and formulas over them. */
export const takesSeveral = (type: DisplayType) => withSeveral.has(type);

/** The formulas that the tile shows. */
export function formulasOf({ formulas, displayType }: TileDraft): DraftFormula[] {
  return takesSeveral(displayType) ? formulas.filter(({ expression }) => expression.trim() !== '') : [];
}

/** Whether it shows A / B: a ratio has exactly two parts, and no formulas beside it. */
export function isRatio(draft: TileDraft): boolean {
  return draft.asRatio && draft.items.length === 2 && takesSeveral(draft.displayType) && formulasOf(draft).length === 0;
}

/** `asRatio` as it is to be stored: as it was, unless it, or whether it can be, was changed. */
export function ratioAfter(stored: boolean | undefined, given: TileDraft, draft: TileDraft): boolean | undefined {
  const isSame = draft.asRatio === given.asRatio && isRatio(draft) === isRatio(given);
  return isSame ? stored : isRatio(draft) || undefined;
}
