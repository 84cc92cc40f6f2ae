import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useMemo, useRef, useState } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { NoData } from '../ui/NoData.tsx';
import { usePageZone } from '../ui/zone-choice.ts';
import { alignSeries, stackColumns } from './align-series.ts';
import { ChartLegend } from './ChartLegend.tsx';
import { type ChartLook, chartOptions } from './chart-options.ts';
import type { ChartSeries, ShadedPeriod, Threshold } from './chart-series.ts';
import { overlayPlugin } from './overlay-plugin.ts';
import { pointPlugin } from './point-plugin.ts';
import classes from './TimeChart.module.css';
import { tooltipPlugin } from './tooltip-plugin.ts';
import { watchSight } from './watch-sight.ts';

/** A series, at one of its times if it was chosen in the plot. */
export interface ChosenSeries {
  /** Place among the series. */
  index: number;
  atMs: number | undefined;
  at: { x: number; y: number };
  /** The button of the legend; takes the focus back. */
  from: HTMLElement | undefined;
}

export interface TimeChartProps {
  /** What the chart shows, for those who don't see it. */
  label: string;
  series: readonly ChartSeries[];
  startMs: number;
  endMs: number;
  granularityMs?: number | undefined;
  /** Lines join points that are no further apart: twice the time between two samples. */
  joinMs?: number | undefined;
  kind?: ChartLook['kind'];
  /** Charts with the same key show the same instant under the pointer. */
  syncKey?: string;
  /** A stretch was chosen by dragging. */
  onZoom?: (fromMs: number, toMs: number) => void;
  /** A point, a part of a bar, or a legend entry was chosen. */
  onPart?: ((part: ChosenSeries) => void) | undefined;
  thresholds?: readonly Threshold[];
  periods?: readonly ShadedPeriod[];
  legend?: boolean;
  fitY?: boolean;
  interpolation?: ChartLook['interpolation'] | undefined;
}

const none: readonly never[] = [];

/** Lines, or stacked lines or bars, over time, or that there is no value. Fills its parent, which needs a height. */
export function TimeChart(props: TimeChartProps) {
  return hasValue(props.series) ? <DrawnChart {...props} /> : <NoData />;
}

function hasValue(series: readonly ChartSeries[]): boolean {
  return series.some(({ points }) => points.some((point) => point[1] !== null));
}

function DrawnChart(props: TimeChartProps) {
  const { series, startMs, endMs, granularityMs, joinMs, kind = 'line' } = props;
  const { syncKey, fitY = false, legend = true, interpolation = 'linear' } = props;
  const isStacked = kind !== 'line';
  const holdsBucket = kind === 'stacked_bar' || interpolation === 'step';
  const scheme = useComputedColorScheme();
  const zone = usePageZone();
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(null);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());

  const aligned = useMemo(() => {
    return alignSeries(series, { granularityMs, joinMs: isStacked ? undefined : joinMs });
  }, [series, granularityMs, joinMs, isStacked]);
  const isHidden = (index: number) => hidden.has(series[index]?.key ?? '');
  const thresholds = props.thresholds ?? none;
  const periods = props.periods ?? none;
  const now = {
    range: [startMs, endMs] as [number, number],
    isolated: aligned.isolated,
    whole: aligned.whole,
    granularityMs,
    values: thresholds.map(({ value }) => value),
    onZoom: props.onZoom,
    onPart: props.onPart,
    overlays: { thresholds, periods },
    tooltip: { series, values: aligned.values, isHidden, holdsBucket },
  };
  const live = useRef(now);
  live.current = now;

  // The chart is rebuilt only if its series, kind, colours or time zone change; new points go into the existing one.
  const shape = JSON.stringify([
    kind,
    interpolation,
    scheme,
    zone,
    syncKey,
    fitY,
    series.map(({ key, name, color }) => [key, name, color]),
  ]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `shape` covers everything that is read
  useEffect(() => {
    if (!host.current) return;
    const sight = watchSight(host.current, () => built.setCursor({ left: -10, top: -10 }, false));
    const look = { kind, interpolation, scheme, syncKey, fitY, follows: sight.isInSight };
    const options = chartOptions(series, look, () => live.current, [
      overlayPlugin(() => live.current.overlays, scheme),
      tooltipPlugin(() => live.current.tooltip, classes),
      pointPlugin({ isStacked, holdsBucket }, ({ series: index, atMs, x, y }) =>
        live.current.onPart?.({ index, atMs, at: { x, y }, from: undefined }),
      ),
    ]);
    const built = new uPlot({ ...options, ...sizeOf(host.current) }, [[]], host.current);
    plot.current = built;
    const watch = new ResizeObserver(([entry]) => {
      if (!entry) return;
      const size = sizeOf(entry.target);
      // It also calls when it starts to watch: drawing takes long.
      if (size.width !== built.width || size.height !== built.height) built.setSize(size);
    });
    watch.observe(host.current);
    // What was drawn before the font had arrived has another one.
    if (document.fonts.status === 'loading')
      void document.fonts.ready.then(() => plot.current === built && built.redraw());
    return () => {
      sight.end();
      watch.disconnect();
      built.destroy();
      plot.current = null;
    };
  }, [shape]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a rebuilt chart (`shape`) needs its data too
  useEffect(() => {
    const built = plot.current;
    if (!built) return;
    const columns = isStacked ? stackColumns(aligned.values, isHidden) : aligned.values;
    // Data first: a chart without data takes the range of its empty axis as a requested one. Not as a batch, which would
    // draw immediately, and then again what is already queued for drawing.
    built.setData([aligned.times, ...columns]);
    for (const index of series.keys()) {
      const show = !isHidden(index);
      if (built.series[index + 1]?.show !== show) built.setSeries(index + 1, { show }, false);
    }
  }, [shape, aligned, hidden, startMs, endMs, thresholds, periods]);

  return (
    <div className={classes.chart}>
      <div className={classes.plot}>
        <div ref={host} className={classes.canvas} role="img" aria-label={props.label} />
      </div>
      {legend && series.length > 0 ? (
        <ChartLegend
          series={series}
          summaries={aligned.summaries}
          hidden={hidden}
          onHiddenChange={setHidden}
          onPart={props.onPart}
        />
      ) : null}
    </div>
  );
}

function sizeOf(element: Element): { width: number; height: number } {
  return { width: Math.max(element.clientWidth, 40), height: Math.max(element.clientHeight, 40) };
}
