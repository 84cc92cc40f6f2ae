import { measuredName } from './metric-expression.ts';
import type { Tile } from './tile.ts';

/**
 * Which of a tile's series an alert evaluates, in words: the last formula, else the ratio, else the last series;
 * `undefined` when there is nothing to choose from.
 */
export function evaluatedSeries({
  series,
  asRatio,
  config,
}: Pick<Tile, 'series' | 'asRatio' | 'config'>): string | undefined {
  if (!config) return chosen((series ?? []).map(nameOfSeries), asRatio, []);
  if (!('select' in config) || !Array.isArray(config.select)) return undefined;
  const names = config.select.map((item) => ('aggFn' in item ? nameOfSeries(item) : ''));
  const formulas = 'formulas' in config ? (config.formulas ?? []) : [];
  const ratio = 'asRatio' in config ? config.asRatio : undefined;
  return chosen(
    names,
    ratio,
    formulas.map(({ alias, expression }) => alias || expression),
  );
}

function chosen(
  series: readonly string[],
  asRatio: boolean | undefined,
  formulas: readonly string[],
): string | undefined {
  const formula = formulas.at(-1);
  if (formula !== undefined) return formulas.length > 1 ? `${formula} (the last formula)` : `${formula} (the formula)`;
  if (asRatio && series.length > 1) return `${series[0]} / ${series[1]} (the ratio)`;
  return series.length > 1 ? `${series.at(-1)} (the last of ${series.length})` : undefined;
}

interface Named {
  alias?: string | undefined;
  aggFn?: string | undefined;
  field?: string | undefined;
  valueExpression?: string | undefined;
  metricName?: string | undefined;
  periodAggFn?: string | undefined;
}

function nameOfSeries({ alias, aggFn = '', field, valueExpression, metricName, periodAggFn }: Named): string {
  if (alias) return alias;
  const name = measuredName({ field: valueExpression ?? field, metricName });
  if (aggFn === 'none' && name) return name;
  const of = name && periodAggFn ? `${periodAggFn}(${name})` : name;
  return of ? `${aggFn}(${of})` : aggFn;
}
