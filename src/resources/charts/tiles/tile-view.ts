import { measuredName } from '../../../contract/metric-expression.ts';
import type { NumberFormat } from '../../../contract/number-format.ts';
import type { SeriesType, TileSeries } from '../../../contract/series.ts';
import type { TileInput } from '../../../contract/tile.ts';
import { isSqlConfig, type SelectItem, type TileConfig } from '../../../contract/tile-config.ts';

/** A value that a tile shows: one of its series or formulas. */
export interface ShownValue {
  name: string;
  numberFormat?: NumberFormat;
}

/** How the values of a chart are laid out. */
export interface TileView {
  displayType: string;
  /** Over time, one row per group, or one row. */
  layout: 'time' | 'rows' | 'number';
  series: readonly ShownValue[];
  ratio?: ShownValue;
  formulas: readonly ShownValue[];
  /** Beside a ratio or formulas also what these are made of. */
  showOperands: boolean;
  /** Buckets without rows show a value too. */
  fill: boolean;
  /** The range is widened to whole buckets. */
  alignRange: boolean;
  comparePrevious: boolean;
  /** Most groups; 0 = all, `undefined` = the usual number. */
  seriesLimit?: number;
  having?: string;
  orderBy?: string;
  /** The groups that are left out are one more. */
  withOther: boolean;
  /** Rows that are shown after ordering; 0 = all. */
  limit: number;
}

type NamedItem = Pick<
  SelectItem,
  'aggFn' | 'alias' | 'level' | 'valueExpression' | 'metricName' | 'numberFormat' | 'periodAggFn'
>;

const plain = {
  formulas: [],
  showOperands: false,
  fill: false,
  alignRange: false,
  comparePrevious: false,
  withOther: false,
  limit: 0,
};

/** The layout of a tile that draws numbers; `undefined` for one that shows something else. */
export function tileView(tile: TileInput): TileView | undefined {
  if (tile.config) return isSqlConfig(tile.config) ? undefined : viewOfConfig(tile.config);
  if (tile.series && tile.series.length > 0) return viewOfSeries(tile.series, tile.asRatio ?? false);
  return undefined;
}

const layoutOfType: Partial<Record<SeriesType, TileView['layout']>> = {
  time: 'time',
  histogram: 'time',
  table: 'rows',
  number: 'number',
};

function viewOfSeries(all: readonly TileSeries[], asRatio: boolean): TileView | undefined {
  const [first] = all;
  const type = first?.type ?? 'time';
  const layout = layoutOfType[type];
  if (!layout) return undefined;
  const tileFormat = all.find(({ numberFormat }) => numberFormat)?.numberFormat;
  const series = all.map(({ field, aggFn, ...item }) =>
    shown({ ...item, aggFn: aggFn ?? 'count', ...(field !== undefined && { valueExpression: field }) }, tileFormat),
  );
  return {
    ...plain,
    displayType: layout === 'time' ? (first?.displayType ?? 'line') : type,
    layout,
    series,
    ...(asRatio && { ratio: ratioOf(series, tileFormat) }),
    fill: layout === 'time',
    ...(type === 'table' && first?.sortOrder && { orderBy: `"${series[0]?.name ?? ''}" ${first.sortOrder}` }),
  };
}

function viewOfConfig(config: Exclude<TileConfig, { configType: 'sql' }>): TileView | undefined {
  switch (config.displayType) {
    case 'line':
    case 'stacked_bar':
    case 'stacked_line':
      return {
        ...manyOf(config),
        layout: 'time',
        fill: config.fillNulls ?? true,
        alignRange: config.alignDateRangeToGranularity ?? false,
        comparePrevious: config.displayType === 'line' && (config.compareToPreviousPeriod ?? false),
        ...(config.seriesLimit !== undefined && { seriesLimit: config.seriesLimit }),
      };
    case 'table':
      return { ...manyOf(config), layout: 'rows', ...rowsOf(config) };
    case 'number':
      return { ...manyOf(config), layout: 'number' };
    case 'pie':
    case 'bar':
      return { ...manyOf(config), layout: 'rows', ...rowsOf(config), limit: config.limit ?? 0 };
    default:
      return undefined;
  }
}

function manyOf(config: {
  displayType: string;
  select: readonly SelectItem[];
  asRatio?: boolean;
  numberFormat?: NumberFormat;
  formulas?: readonly { expression: string; alias?: string; numberFormat?: NumberFormat }[];
  showOperandSeries?: boolean;
  otherGroup?: boolean;
}) {
  const series = config.select.map((item) => shown(item, config.numberFormat));
  return {
    ...plain,
    displayType: config.displayType,
    series,
    ...(config.asRatio && { ratio: ratioOf(series, config.numberFormat) }),
    formulas: (config.formulas ?? []).map(({ alias, expression, numberFormat = config.numberFormat }) => ({
      name: alias?.trim() || expression,
      ...(numberFormat && { numberFormat }),
    })),
    showOperands: config.showOperandSeries ?? false,
    withOther: config.otherGroup ?? false,
  };
}

function rowsOf({ having, orderBy }: { having?: string; orderBy?: string }) {
  return { ...(having?.trim() && { having }), ...(orderBy?.trim() && { orderBy }) };
}

function shown(item: NamedItem, tileFormat: NumberFormat | undefined): ShownValue {
  const numberFormat = item.numberFormat ?? tileFormat;
  return { name: item.alias?.trim() || nameOf(item), ...(numberFormat && { numberFormat }) };
}

/** What a value is called that has no alias: `count()`, `p95(Duration)`, `max(delta(queue.length))`, `max(Value / 2 of queue.length)`. */
function nameOf({ aggFn, level = 0.5, valueExpression, metricName, periodAggFn }: NamedItem): string {
  const of = measuredName({ field: valueExpression, metricName });
  // The expression says which aggregates it is made of.
  if (aggFn === 'none' && of !== '') return of;
  const what = periodAggFn ? `${periodAggFn}(${of})` : of;
  const name = aggFn === 'quantile' ? `p${Number((level * 100).toFixed(4))}` : aggFn;
  return `${name}(${what})`;
}

function ratioOf([numerator, denominator]: readonly ShownValue[], numberFormat: NumberFormat | undefined): ShownValue {
  return { name: `${numerator?.name} / ${denominator?.name}`, ...(numberFormat && { numberFormat }) };
}
