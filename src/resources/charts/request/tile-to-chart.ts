import { chartLimits } from '../../../contract/chart.ts';
import type { ChartSeries, TileSeries } from '../../../contract/series.ts';
import { splitExpressions } from '../../../contract/split-expressions.ts';
import type { Tile } from '../../../contract/tile.ts';
import { isSqlConfig, type SelectItem, type TileConfig } from '../../../contract/tile-config.ts';
import { isOverTime } from '../../../contract/time-display.ts';
import type { TimeRange } from '../../../query/chart-query.ts';
import { QueryTextError } from '../../../query/compiled-query.ts';
import { aggregateOf, type ChartDefinition, toSeriesDefinition } from './chart-definition.ts';
import { type Formula, parseFormula } from './parse-formula.ts';
import { QueryProblem } from './query-problem.ts';

/** What a tile asks of its sources, whatever the range. */
export interface ChartOfTile extends Pick<ChartDefinition, 'series' | 'groupBy' | 'asRatio' | 'hasTimeAxis'> {
  /** Values made of the series; none for most tiles. */
  formulas: readonly Formula[];
}

export type TileChart =
  | { kind: 'chart'; chart: ChartOfTile }
  /** The tile draws no number; `reason` is a sentence, `problem` has the place in the tile, if it is a text of the tile. */
  | { kind: 'notEvaluable'; reason: string; problem?: QueryProblem };

/** A series of either form, with the aggregate still in the wire's name. */
type Drawn = Omit<ChartSeries, 'groupBy' | 'type'>;

/** What a tile asks for, in `series` or in builder `config` form: the same definition that a chart request has. */
export function tileToChart(tile: Pick<Tile, 'config' | 'series' | 'asRatio'>): TileChart {
  const found = chartOf(tile);
  return found.kind === 'notEvaluable' || hasTimeAxis(tile)
    ? found
    : { kind: 'chart', chart: { ...found.chart, hasTimeAxis: false } };
}

function chartOf(tile: Pick<Tile, 'config' | 'series' | 'asRatio'>): TileChart {
  if (tile.config) return chartOfConfig(tile.config);
  if (tile.series && tile.series.length > 0) return chartOfSeries(tile.series, tile.asRatio ?? false);
  return notEvaluable('The tile has no series.');
}

function hasTimeAxis({ config, series }: Pick<Tile, 'config' | 'series'>): boolean {
  if (config) return isSqlConfig(config) || isOverTime(config.displayType);
  const type = series?.[0]?.type ?? 'time';
  return type !== 'number' && type !== 'table';
}

/** A window as one bucket that starts with it, so that the evaluated value is the chart's (decisions A6). */
export function windowOfTile(
  chart: Pick<ChartDefinition, 'series' | 'groupBy' | 'asRatio' | 'hasTimeAxis'>,
  window: TimeRange,
): ChartDefinition {
  return {
    ...chart,
    conditions: [],
    range: window,
    granularityMs: window.endMs - window.startMs,
    bucketOriginMs: window.startMs,
    groupsMax: chartLimits.groups,
  };
}

function chartOfSeries(series: readonly TileSeries[], asRatio: boolean): TileChart {
  const type = series[0]?.type ?? 'time';
  if (type === 'search' || type === 'markdown') return notEvaluable(`A tile of type ${type} has no value.`);
  // A number shows its first series only, without groups.
  const isNumber = type === 'number';
  const drawn = isNumber && !asRatio ? series.slice(0, 1) : series;
  const complete: Drawn[] = [];
  for (const item of drawn) {
    const { sourceId, aggFn, where, field, level, whereLanguage, metricName, metricDataType, periodAggFn } = item;
    if (sourceId === undefined || aggFn === undefined) return notEvaluable('A series names no source or aggregate.');
    complete.push({
      sourceId,
      aggFn,
      where: where ?? '',
      ...(field !== undefined && { field }),
      ...(level !== undefined && { level }),
      ...(whereLanguage && { whereLanguage }),
      ...(metricName !== undefined && { metricName }),
      ...(metricDataType && { metricDataType }),
      ...(periodAggFn && { periodAggFn }),
    });
  }
  return toChart(complete, isNumber ? [] : (series[0]?.groupBy ?? []), asRatio);
}

function chartOfConfig(config: TileConfig): TileChart {
  if (isSqlConfig(config)) return notEvaluable('A tile of raw SQL has no value that could be evaluated.');
  switch (config.displayType) {
    case 'line':
    case 'stacked_bar':
    case 'stacked_line':
    case 'table': {
      const drawn = config.select.map((item) => drawnItem(config.sourceId, item));
      return toChart(drawn, splitExpressions(config.groupBy ?? ''), config.asRatio ?? false, config.formulas);
    }
    case 'number': {
      const used = config.formulas?.length ? config.select : config.select.slice(0, 1);
      return toChart(
        used.map((item) => drawnItem(config.sourceId, item)),
        [],
        false,
        config.formulas,
      );
    }
    case 'pie':
    case 'bar': {
      const drawn = config.select.map((item) => drawnItem(config.sourceId, item));
      return toChart(drawn, splitExpressions(config.groupBy ?? ''), false);
    }
    default:
      return notEvaluable(`A tile of type ${config.displayType} has no value.`);
  }
}

function drawnItem(sourceId: string, item: SelectItem): Drawn {
  const { aggFn, where = '', whereLanguage, valueExpression, level, metricName, metricType, periodAggFn } = item;
  return {
    sourceId,
    aggFn,
    where,
    ...(whereLanguage && { whereLanguage }),
    ...(valueExpression !== undefined && { field: valueExpression }),
    ...(level !== undefined && { level }),
    ...(metricName !== undefined && { metricName }),
    ...(metricType && { metricDataType: metricType }),
    ...(periodAggFn && { periodAggFn }),
  };
}

function toChart(
  drawn: readonly Drawn[],
  groupBy: readonly string[],
  asRatio: boolean,
  formulas: readonly { expression: string }[] = [],
): TileChart {
  if (asRatio && drawn.length !== 2) return notEvaluable('A ratio needs exactly two series.');
  if (asRatio && formulas.length > 0) return notEvaluable('A tile is either a ratio or has formulas.');
  const series = drawn.map((item) => toSeriesDefinition(item, aggregateOf(item.aggFn)));
  const trees = readFormulas(formulas, series.length);
  if (trees instanceof QueryProblem) return { kind: 'notEvaluable', reason: trees.publicText, problem: trees };
  return { kind: 'chart', chart: { series, groupBy, asRatio, formulas: trees } };
}

/** The formulas, or what is wrong with the first that can't be read. */
function readFormulas(formulas: readonly { expression: string }[], operands: number): Formula[] | QueryProblem {
  const trees: Formula[] = [];
  for (const [index, { expression }] of formulas.entries()) {
    try {
      trees.push(parseFormula(expression, operands));
    } catch (error) {
      if (!(error instanceof QueryTextError)) throw error;
      return new QueryProblem(`config.formulas.${index}.expression`, error.message, error.position);
    }
  }
  return trees;
}

function notEvaluable(reason: string): TileChart {
  return { kind: 'notEvaluable', reason };
}
