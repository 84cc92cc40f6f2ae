import type { Tile } from '../../../../src/contract/tile.ts';

/** What an alert on a tile evaluates, if that is one of its series. */
export interface EvaluatedItem {
  sourceId: string;
  aggFn: string;
  field: string | undefined;
  metricName: string | undefined;
}

/** `undefined` for a formula, a ratio or raw SQL, which have no unit that follows from a series. */
export function evaluatedItem({
  config,
  series,
  asRatio,
}: Pick<Tile, 'config' | 'series' | 'asRatio'>): EvaluatedItem | undefined {
  if (!config) {
    // A number shows its first series only.
    const item = series?.[0]?.type === 'number' ? series[0] : series?.at(-1);
    if (!item?.sourceId || !item.aggFn || asRatio) return undefined;
    const { sourceId, aggFn, field, metricName } = item;
    return { sourceId, aggFn, field, metricName };
  }
  if (!('select' in config) || !Array.isArray(config.select)) return undefined;
  if (('asRatio' in config && config.asRatio) || ('formulas' in config && config.formulas?.length)) return undefined;
  const item = config.displayType === 'number' ? config.select[0] : config.select.at(-1);
  if (!item || !('aggFn' in item)) return undefined;
  return {
    sourceId: config.sourceId,
    aggFn: item.aggFn,
    field: item.valueExpression,
    metricName: item.metricName,
  };
}
