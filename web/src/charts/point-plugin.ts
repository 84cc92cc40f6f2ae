import type uPlot from 'uplot';

/** What was clicked in a plot: a series at one of its times, and where on the screen. */
export interface ClickedPoint {
  /** Place of the series. */
  series: number;
  atMs: number;
  x: number;
  y: number;
}

/** Further away a click means no line. */
const reachPx = 40;
/** A press that moves further is a drag. */
const stillPx = 4;

/**
 * The time under the pointer: of values that hold for their whole bucket (bars, steps) the one whose bucket it is in, of
 * points the nearest.
 */
export function pointedIndex(plot: uPlot, holdsBucket: boolean): number | undefined {
  const { idx, left = -1 } = plot.cursor;
  if (idx === null || idx === undefined || left < 0) return undefined;
  const startsLater = (plot.data[0][idx] ?? 0) > plot.posToVal(left, 'x');
  return holdsBucket && startsLater && idx > 0 ? idx - 1 : idx;
}

interface Drawn {
  /** Columns are sums. */
  isStacked: boolean;
  /** As `pointedIndex` has it. */
  holdsBucket: boolean;
}

/** Answers a click on a line or on a part of a stack; dragging over the plot is something else. */
export function pointPlugin({ isStacked, holdsBucket }: Drawn, onPoint: (point: ClickedPoint) => void): uPlot.Plugin {
  let pressed = { x: Number.NaN, y: Number.NaN };
  const click = (plot: uPlot, { clientX: x, clientY: y }: MouseEvent) => {
    const { top = -1 } = plot.cursor;
    const idx = pointedIndex(plot, holdsBucket);
    if (idx === undefined || Math.hypot(x - pressed.x, y - pressed.y) > stillPx) return;
    const series = isStacked ? stackedAt(plot, idx, top) : nearestTo(plot, idx, top);
    const atMs = plot.data[0][idx];
    if (series !== undefined && atMs !== undefined) onPoint({ series, atMs, x, y });
  };
  return {
    hooks: {
      init: [
        (plot) => {
          plot.over.addEventListener('mousedown', ({ clientX: x, clientY: y }) => {
            pressed = { x, y };
          });
          plot.over.addEventListener('click', (event) => click(plot, event));
        },
      ],
    },
  };
}

function shownValues(plot: uPlot, idx: number): { series: number; value: number }[] {
  return plot.data.slice(1).flatMap((column, series) => {
    const value = column?.[idx];
    return typeof value === 'number' && plot.series[series + 1]?.show !== false ? [{ series, value }] : [];
  });
}

/** Each column is the sum of its part and of those after it: the last one that reaches the pointer is under it. */
function stackedAt(plot: uPlot, idx: number, top: number): number | undefined {
  const pointed = plot.posToVal(top, 'y');
  return shownValues(plot, idx).findLast(({ value }) => value >= pointed)?.series;
}

function nearestTo(plot: uPlot, idx: number, top: number): number | undefined {
  const distances = shownValues(plot, idx).map(({ series, value }) => ({
    series,
    px: Math.abs(plot.valToPos(value, 'y') - top),
  }));
  const nearest = distances.toSorted((a, b) => a.px - b.px)[0];
  return nearest && nearest.px <= reachPx ? nearest.series : undefined;
}
