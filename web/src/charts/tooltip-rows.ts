import type { Slot } from './align-series.ts';
import type { ChartSeries } from './chart-series.ts';
import { formatValue } from './format-value.ts';
import { markOf } from './palette.ts';

export interface PlottedSeries {
  series: readonly ChartSeries[];
  /** The values as they are, before stacking. */
  values: readonly (readonly Slot[])[];
  isHidden: (index: number) => boolean;
}

export interface TooltipRow {
  mark: string | undefined;
  name: string;
  value: string;
  isNearest: boolean;
}

/** The largest values first, `most` of them; always includes the one under the pointer. */
export function rowsAt(
  { series, values, isHidden }: PlottedSeries,
  index: number,
  { most, nearest }: { most: number; nearest: number | undefined },
): TooltipRow[] {
  const found = series
    .flatMap((each, at) => {
      const value = values[at]?.[index] ?? null;
      return value === null || isHidden(at) ? [] : [{ each, value, isNearest: at === nearest }];
    })
    .sort((a, b) => b.value - a.value);
  const first = found.slice(0, most);
  const pointed = found.slice(most).find(({ isNearest }) => isNearest);
  const shown = (pointed ? [...first.slice(0, -1), pointed] : first).map(({ each, value, isNearest }) => ({
    mark: markOf(each),
    name: each.name,
    value: formatValue(value, each.numberFormat),
    isNearest,
  }));
  const rest = found.length - shown.length;
  return rest > 0 ? [...shown, { mark: undefined, name: `and ${rest} more`, value: '', isNearest: false }] : shown;
}
