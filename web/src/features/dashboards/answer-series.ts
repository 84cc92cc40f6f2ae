import type { TileAnswer, TileSeriesAnswer } from '../../../../src/contract/tile-query.ts';
import type { ChartSeries } from '../../charts/chart-series.ts';
import { type ColorScheme, colorOfToken, looksOf, meantColor } from '../../charts/palette.ts';

/** Of the period before, whatever dash the series has itself. */
const previousDash = [4, 4];

/** What a chart draws of an answer over time: named by group where one select is grouped, colours by name. */
export function chartSeriesOf({ series = [] }: TileAnswer, scheme: ColorScheme): ChartSeries[] {
  const selects = new Set(series.map(({ select }) => select)).size;
  const names = series.map((one) => nameOf(one, selects > 1));
  const looks = looksOf(names, scheme);
  // A single ungrouped series needs no distinct colour, unless its name says which: errors are red.
  const isAlone = series.length === 1 && series[0]?.group.length === 0;
  const aloneColor = isAlone ? (meantColor(names[0] ?? '', scheme) ?? colorOfToken('chart-blue', scheme)) : undefined;
  return series.map((one, index) => ({
    key: `${one.select}:${one.previous ? 'previous:' : ''}${one.other ? 'other:' : ''}${names[index] ?? ''}`,
    name: one.previous ? `${names[index] ?? ''} (before)` : (names[index] ?? ''),
    color: (one.other ? colorOfToken('chart-gray', scheme) : (aloneColor ?? looks[index]?.color)) ?? '',
    numberFormat: one.numberFormat,
    dash: one.previous ? previousDash : looks[index]?.dash,
    points: one.points,
  }));
}

function nameOf({ name, group, other }: TileSeriesAnswer, severalSelects: boolean): string {
  if (other) return severalSelects ? `Other · ${name}` : 'Other';
  if (group.length === 0) return name;
  const groupName = group.map((value) => value || '(empty)').join(', ');
  return severalSelects ? `${groupName} · ${name}` : groupName;
}

/**
 * How far apart points of a metric may be and still belong to one line: two sampling intervals. Points have the times at
 * which their buckets start, half a bucket off on average. Events have no interval.
 */
export function joinMsOf({ samplingMs, granularityMs = 0 }: TileAnswer): number | undefined {
  return samplingMs === undefined ? undefined : samplingMs * 2 + granularityMs / 2;
}
