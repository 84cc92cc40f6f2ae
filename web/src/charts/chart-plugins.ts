import type uPlot from 'uplot';
import { instantText } from '../ui/instant-text.ts';
import type { Slot } from './align-series.ts';
import { chartFont } from './chart-options.ts';
import type { ChartSeries, ShadedPeriod, Threshold } from './chart-series.ts';
import { formatValue } from './format-value.ts';
import { type ColorScheme, chartInk, markOf } from './palette.ts';
import { pointedIndex } from './point-plugin.ts';

export interface Overlays {
  thresholds: readonly Threshold[];
  periods: readonly ShadedPeriod[];
}

/** Shades firing periods behind the data and draws thresholds over it. */
export function overlayPlugin(overlays: () => Overlays, scheme: ColorScheme): uPlot.Plugin {
  const ink = chartInk(scheme);
  return {
    hooks: {
      drawAxes: [
        ({ ctx, bbox, valToPos }) => {
          ctx.save();
          ctx.fillStyle = ink.shade;
          for (const { startMs, endMs } of overlays().periods) {
            const left = Math.max(valToPos(startMs, 'x', true), bbox.left);
            const right = Math.min(Math.max(valToPos(endMs, 'x', true), left + 2), bbox.left + bbox.width);
            if (right > left) ctx.fillRect(left, bbox.top, right - left, bbox.height);
          }
          ctx.restore();
        },
      ],
      draw: [
        ({ ctx, bbox, valToPos }) => {
          ctx.save();
          ctx.strokeStyle = ink.firing;
          ctx.lineWidth = devicePixelRatio;
          ctx.setLineDash([6 * devicePixelRatio, 4 * devicePixelRatio]);
          ctx.font = `${11 * devicePixelRatio}px ${chartFont}`;
          ctx.textAlign = 'right';
          ctx.fillStyle = ink.firing;
          for (const { value, label } of overlays().thresholds) {
            const top = Math.round(valToPos(value, 'y', true));
            if (top < bbox.top || top > bbox.top + bbox.height) continue;
            ctx.beginPath();
            ctx.moveTo(bbox.left, top);
            ctx.lineTo(bbox.left + bbox.width, top);
            ctx.stroke();
            // Above its line, or below where that is at the very top.
            const isHigh = top - bbox.top < 16 * devicePixelRatio;
            ctx.textBaseline = isHigh ? 'top' : 'bottom';
            const place = [
              bbox.left + bbox.width - 4 * devicePixelRatio,
              top + (isHigh ? 3 : -3) * devicePixelRatio,
            ] as const;
            write(ctx, shortened(label), place, ink.surface);
          }
          ctx.restore();
        },
      ],
    },
  };
}

const labelLengthMax = 48;

/** A label is a line's, not the chart's. */
function shortened(label: string): string {
  return label.length > labelLengthMax ? `${label.slice(0, labelLengthMax - 1)}…` : label;
}

/** Text that stays readable where lines run behind it. */
function write(ctx: CanvasRenderingContext2D, text: string, [x, y]: readonly [number, number], surface: string): void {
  ctx.save();
  ctx.setLineDash([]);
  ctx.strokeStyle = surface;
  ctx.lineWidth = 3 * devicePixelRatio;
  ctx.strokeText(text, x, y);
  ctx.restore();
  ctx.fillText(text, x, y);
}

export interface TooltipParts {
  series: readonly ChartSeries[];
  /** The values as they are, before stacking. */
  values: readonly (readonly Slot[])[];
  isHidden: (index: number) => boolean;
  periods: readonly ShadedPeriod[];
  /** Values are those of whole buckets: bars and steps. */
  holdsBucket: boolean;
}

const rowsUnderPointer = 12;
/** Charts that only follow another one's pointer say less. */
const rowsFollowing = 3;

/** A box beside the pointer, filled without React: it changes with every move of the mouse. */
export function tooltipPlugin(parts: () => TooltipParts, classes: Record<string, string | undefined>): uPlot.Plugin {
  const box = document.createElement('div');
  box.className = classes.tooltip ?? '';
  box.hidden = true;
  let isPointed = false;
  /** Place of the series whose line is nearest to the pointer. */
  let nearest: number | undefined;
  return {
    hooks: {
      setSeries: [
        (_, place, options) => {
          if ('focus' in options) nearest = place === null || place === 0 ? undefined : place - 1;
        },
      ],
      init: [
        (plot) => {
          plot.over.append(box);
          plot.over.addEventListener('mouseenter', () => {
            isPointed = true;
          });
          plot.over.addEventListener('mouseleave', () => {
            isPointed = false;
            box.hidden = true;
          });
        },
      ],
      setCursor: [
        (plot) => {
          const { left = -1, top = -1 } = plot.cursor;
          const { holdsBucket } = parts();
          const idx = pointedIndex(plot, holdsBucket);
          const at = idx === undefined ? undefined : plot.data[0][idx];
          if (at === undefined || idx === undefined) {
            box.hidden = true;
            return;
          }
          const rows = isPointed ? { most: rowsUnderPointer, nearest } : { most: rowsFollowing, nearest: undefined };
          fill(box, at, rowsAt(parts(), idx, rows), classes);
          box.hidden = false;
          place(box, plot, left, isPointed ? top : 0);
        },
      ],
    },
  };
}

export interface TooltipRow {
  mark: string | undefined;
  name: string;
  value: string;
  isNearest: boolean;
}

/** The largest values first, `most` of them; always includes the one under the pointer. */
export function rowsAt(
  { series, values, isHidden }: Omit<TooltipParts, 'periods' | 'holdsBucket'>,
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

function fill(box: HTMLElement, at: number, rows: readonly TooltipRow[], classes: Record<string, string | undefined>) {
  const time = document.createElement('div');
  time.className = classes.tooltipTime ?? '';
  time.textContent = instantText(at);
  const lines = rows.map(({ mark: background, name, value, isNearest }) => {
    const line = document.createElement('div');
    line.className = `${classes.tooltipRow} ${isNearest ? classes.tooltipNearest : ''}`;
    const mark = document.createElement('i');
    if (background) mark.style.background = background;
    const label = document.createElement('span');
    label.textContent = name;
    const amount = document.createElement('b');
    amount.textContent = value;
    line.append(mark, label, amount);
    return line;
  });
  box.replaceChildren(time, ...lines);
}

function place(box: HTMLElement, plot: uPlot, left: number, top: number): void {
  const { clientWidth, clientHeight } = plot.over;
  const width = box.offsetWidth;
  const beside = left > clientWidth / 2 ? left - 12 - width : left + 12;
  // Within the chart, also where neither side has room: the page must not become wider.
  box.style.left = `${Math.max(Math.min(beside, clientWidth - width), 0)}px`;
  const below = Math.min(top, Math.max(clientHeight - box.offsetHeight, 0));
  box.style.top = `${Math.max(below, 0)}px`;
}
