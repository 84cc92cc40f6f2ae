import { limits } from '../../contract/limits.ts';
import { isMetricExpression } from '../../contract/metric-expression.ts';
import type { Problem } from '../../contract/problem.ts';
import { additiveAggregates, doesNotAddUp, seriesKeys } from '../../contract/series.ts';
import type { Tile } from '../../contract/tile.ts';
import { tileKeys } from '../../contract/tile.ts';
import { configKeys, isSqlConfig, selectItemKeys, type TileConfig } from '../../contract/tile-config.ts';
import { onlyGaugesChange, problemOfExpression } from '../charts/request/metric-value.ts';
import { checkFormulas } from './check-formulas.ts';
import { checkRowLink } from './check-row-link.ts';
import { checkSqlTile } from './check-sql-tile.ts';

/** What the schema of a tile cannot say. Paths are relative to the tile. */
export function checkTile(tile: Tile): Problem[] {
  const problems: Problem[] = [];
  if (tile.config && (tile.series || tile.asRatio !== undefined)) {
    problems.push({ path: 'config', message: 'must not be combined with series or asRatio; send one form' });
  }
  const types = new Set(tile.series?.map((series) => series.type ?? 'time'));
  if (types.size > 1) {
    problems.push({ path: 'series', message: `must all have the same type, not ${[...types].join(' and ')}` });
  }
  if (unknownBytes(tile) > limits.unknownBytesPerTile) {
    problems.push({ path: '', message: `must have at most ${limits.unknownBytesPerTile} bytes of unknown keys` });
  }
  problems.push(...checkSeries(tile.series ?? []));
  if (!tile.config) return problems;
  return [...problems, ...checkConfig(tile.config), ...checkSqlTile(tile), ...checkRowLink(tile.config)];
}

function checkSeries(series: NonNullable<Tile['series']>): Problem[] {
  return series.flatMap(({ field = '', metricName, metricDataType, periodAggFn }, index) => {
    const item = { field, metricName, metricType: metricDataType, periodAggFn };
    return [...checkExpression(item, `series.${index}.field`), ...checkPeriod(item, `series.${index}`)];
  });
}

interface Calculated {
  field: string;
  metricName: string | undefined;
  metricType: string | undefined;
}

function checkExpression({ field, metricName, metricType }: Calculated, path: string): Problem[] {
  if (!isMetricExpression({ field, metricName })) return [];
  const message = problemOfExpression(field, metricType);
  return message === undefined ? [] : [{ path, message }];
}

interface OverPeriod {
  periodAggFn: string | undefined;
  metricType: string | undefined;
}

function checkPeriod({ periodAggFn, metricType }: OverPeriod, path: string): Problem[] {
  if (periodAggFn === undefined || metricType === 'gauge') return [];
  return [{ path: `${path}.periodAggFn`, message: onlyGaugesChange }];
}

function checkConfig(config: TileConfig): Problem[] {
  if (isSqlConfig(config) || !('select' in config) || !Array.isArray(config.select)) return [];
  if (config.displayType === 'heatmap') return [];
  const problems = config.select.flatMap((item, index) => {
    const { aggFn, valueExpression = '', metricName, metricType, periodAggFn } = item;
    const path = `config.select.${index}.valueExpression`;
    const ofPeriod = checkPeriod({ periodAggFn, metricType }, `config.select.${index}`);
    if (ofPeriod.length > 0) return ofPeriod;
    const calculated = checkExpression({ field: valueExpression, metricName, metricType }, path);
    if (calculated.length > 0) return calculated;
    if (aggFn === 'count' && valueExpression !== '') return [{ path, message: 'must be absent or empty for count' }];
    const missing = aggFn !== 'count' && valueExpression === '' && metricName === undefined;
    return missing ? [{ path, message: `is required for ${aggFn}` }] : [];
  });
  if ('asRatio' in config && config.asRatio && config.select.length !== 2) {
    problems.push({ path: 'config.asRatio', message: 'needs exactly two select items' });
  }
  return [...problems, ...checkOther(config, config.select), ...checkFormulas(config)];
}

function checkOther(config: object, select: readonly { aggFn: string }[]): Problem[] {
  if (!('otherGroup' in config) || config.otherGroup !== true) return [];
  return select.flatMap(({ aggFn }, index) =>
    additiveAggregates.has(aggFn) ? [] : [{ path: `config.select.${index}.aggFn`, message: doesNotAddUp }],
  );
}

/** Size of what we keep without knowing it (decisions F8). */
function unknownBytes(tile: Tile): number {
  const config = tile.config ?? {};
  const select = 'select' in config && Array.isArray(config.select) ? config.select : [];
  return (
    bytesBeside(tile, tileKeys) +
    bytesBeside(config, configKeys) +
    sum(tile.series ?? [], (series) => bytesBeside(series, seriesKeys)) +
    sum(select, (item) => bytesBeside(item, selectItemKeys))
  );
}

function bytesBeside(object: object, known: ReadonlySet<string>): number {
  let bytes = 0;
  for (const [key, value] of Object.entries(object)) {
    if (!known.has(key)) bytes += Buffer.byteLength(JSON.stringify({ [key]: value }));
  }
  return bytes;
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}
