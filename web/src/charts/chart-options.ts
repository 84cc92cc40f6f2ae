import uPlot from 'uplot';
import type { NumberFormat } from '../../../src/contract/number-format.ts';
import type { LineInterpolation, TimeDisplay } from '../../../src/contract/time-display.ts';
import { clockText, dayText } from '../ui/instant-text.ts';
import { pageZone } from '../ui/page-zone.ts';
import type { ChartSeries } from './chart-series.ts';
import { formatTick } from './format-value.ts';
import { linePaths } from './line-paths.ts';
import { areaColor, type ColorScheme, chartInk } from './palette.ts';

export interface ChartLook {
  kind: TimeDisplay;
  interpolation: LineInterpolation;
  scheme: ColorScheme;
  syncKey: string | undefined;
  /** Whether it shows the instant under the pointer over another chart. */
  follows: () => boolean;
  /** The value axis starts at the data instead of at zero. */
  fitY: boolean;
}

/** What of the chart changes while the chart stays; read when drawing. */
export interface LiveParts {
  range: [number, number];
  isolated: (readonly number[])[];
  whole: boolean[];
  /** Width of the bars. */
  granularityMs: number | undefined;
  /** The value axis reaches these too. */
  values: number[];
  onZoom: ((fromMs: number, toMs: number) => void) | undefined;
}

/** As the pages' text; a canvas reads no variable of a style sheet. */
export const chartFont = '"Inter Variable", ui-sans-serif, system-ui, sans-serif';
const font = `11px ${chartFont}`;

/** Options of a chart whose times are Unix milliseconds. */
export function chartOptions(
  series: readonly ChartSeries[],
  look: ChartLook,
  live: () => LiveParts,
  plugins: uPlot.Plugin[],
): uPlot.Options {
  const ink = chartInk(look.scheme);
  const format = series[0]?.numberFormat;
  const pathsOf = linePaths();
  const axis = { stroke: ink.text, font, grid: { stroke: ink.grid, width: 1 }, ticks: { show: false } };
  return {
    width: 10,
    height: 10,
    ms: 1,
    tzDate: (atMs) => uPlot.tzDate(new Date(atMs), pageZone()),
    padding: [8, 18, 0, 0],
    legend: { show: false },
    plugins,
    cursor: {
      drag: { x: true, y: false, setScale: false },
      focus: { prox: 24 },
      points: { size: 6 },
      ...(look.syncKey ? { sync: { key: look.syncKey, scales: ['x', null], filters: { sub: look.follows } } } : {}),
    },
    focus: { alpha: 0.35 },
    scales: {
      x: { time: true, range: () => live().range },
      y: { range: (_, min, max) => valueRange(min, max, look.fitY, live().values) },
    },
    axes: [
      { ...axis, size: 26, values: timeTicks },
      {
        ...axis,
        ...(isBinary(format) ? { incrs: binarySteps } : {}),
        size: axisSize,
        values: (_, ticks) => ticks.map((tick) => formatTick(tick, format)),
      },
    ],
    series: [
      {},
      ...series.map((each, index) =>
        look.kind === 'stacked_bar'
          ? barOptions(each, live)
          : {
              ...lineOptions(each, widthOf(series.length), () => live().isolated[index]),
              ...fillOf(each, look, series.length === 1),
              ...(look.interpolation === 'linear'
                ? { paths: pathsOf(() => live().whole[index] ?? false) }
                : curves(look.interpolation)),
            },
      ),
    ],
    hooks: {
      setSelect: [
        (plot) => {
          if (plot.select.width < 4) return;
          const from = plot.posToVal(plot.select.left, 'x');
          const to = plot.posToVal(plot.select.left + plot.select.width, 'x');
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          live().onZoom?.(Math.round(from), Math.round(to));
        },
      ],
    },
  };
}

const gapPx = 1;
/** Of the area below a line that is alone; several would hide each other. */
const areaAlpha = '1f';

function barOptions({ name, color }: ChartSeries, live: () => LiveParts): uPlot.Series {
  const bars = uPlot.paths.bars?.({
    align: 1,
    gap: gapPx,
    disp: {
      x0: { unit: 1, values: (plot) => [...plot.data[0]] },
      size: { unit: 1, values: (plot) => [live().granularityMs ?? narrowest(plot.data[0])] },
    },
  });
  return {
    label: name,
    stroke: color,
    fill: color,
    width: 0,
    points: { show: false },
    ...(bars ? { paths: bars } : {}),
  };
}

/** Of buckets whose width is not known. */
function narrowest(times: ArrayLike<number>): number {
  let least = Number.POSITIVE_INFINITY;
  for (let at = 1; at < times.length; at++) least = Math.min(least, (times[at] ?? 0) - (times[at - 1] ?? 0));
  return Number.isFinite(least) ? least : 1;
}

/** Curves never rise above or fall below the values that they join. */
function curves(interpolation: 'step' | 'smooth'): Partial<uPlot.Series> {
  if (interpolation === 'smooth') {
    const paths = uPlot.paths.spline?.();
    return paths ? { paths } : {};
  }
  const paths = uPlot.paths.stepped?.({ align: 1 });
  return { ...(paths ? { paths } : {}), points: { show: false } };
}

/** Areas are opaque: each is drawn over the sum of those below it. */
function fillOf({ color }: ChartSeries, { kind, scheme }: ChartLook, isAlone: boolean): Partial<uPlot.Series> {
  if (kind === 'stacked_line') return { fill: areaColor(color, scheme) };
  return isAlone ? { fill: `${color}${areaAlpha}` } : {};
}

/** Many lines are easier to distinguish when they are thin; browsers also draw lines of one pixel several times faster. */
function widthOf(lines: number): number {
  return lines > 6 ? 1 : 1.5;
}

function lineOptions(
  { name, color, dash }: ChartSeries,
  width: number,
  isolated: () => readonly number[] | undefined,
): uPlot.Series {
  return {
    label: name,
    stroke: color,
    width,
    ...(dash ? { dash: [...dash] } : {}),
    points: { size: 5, filter: (_, __, show) => (show ? null : marked(isolated())) },
  };
}

/** None is said by `null`: an empty list is painted too. */
function marked(isolated: readonly number[] = []): number[] | null {
  return isolated.length > 0 ? [...isolated] : null;
}

/** Zero belongs to a chart of amounts; all that is drawn has room. */
function valueRange(min: number | null, max: number | null, fitY: boolean, also: readonly number[]): [number, number] {
  const known = [...also, ...(min === null ? [] : [min]), ...(max === null ? [] : [max])].filter(Number.isFinite);
  const low = Math.min(...known, ...(fitY && known.length > 0 ? [] : [0]));
  const high = Math.max(...known, ...(fitY && known.length > 0 ? [] : [0]));
  if (low === high) return [low === 0 ? 0 : low - Math.abs(low) * 0.1, high === 0 ? 1 : high + Math.abs(high) * 0.1];
  const room = (high - low) * 0.06;
  return [low < 0 || fitY ? low - room : low, high + room];
}

/** Bytes are counted in powers of two: 64 MiB, 128 MiB. */
const binarySteps = Array.from({ length: 60 }, (_, power) => 2 ** power);

function isBinary(format: NumberFormat | undefined): boolean {
  return (format?.output === 'byte' || format?.output === 'data_rate') && !format.decimalBytes;
}

/** Room for seven characters. */
const gutterPx = 58;

function axisSize(_: uPlot, ticks: string[] | null): number {
  const longest = Math.max(...(ticks ?? []).map((tick) => tick.length), 1);
  // Charts below one another have the same gutter unless their numbers are long, so that their times are aligned.
  return Math.max(gutterPx, longest * 6.2 + 14);
}

const dayMs = 86_400_000;

/** Times of day; days where the axis spans several, and at the first tick of another day. */
function timeTicks(_: uPlot, ticks: number[], __: number, ___: number, incrementMs: number): string[] {
  return ticks.map((tick, index) => {
    const before = ticks[index - 1];
    const isNewDay = before !== undefined && dayText(before) !== dayText(tick);
    if (incrementMs >= dayMs || isNewDay) return dayText(tick);
    return clockText(tick, incrementMs < 60_000);
  });
}
