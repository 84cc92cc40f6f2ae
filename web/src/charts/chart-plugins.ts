import type uPlot from 'uplot';
import { formatInstant } from './chart-options.ts';
import type { ChartSeries, ShadedPeriod, Threshold } from './chart-series.ts';
import { formatValue } from './format-value.ts';
import { type ColorScheme, chartInk } from './palette.ts';

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
          for (const { value } of overlays().thresholds) {
            const top = Math.round(valToPos(value, 'y', true));
            if (top < bbox.top || top > bbox.top + bbox.height) continue;
            ctx.beginPath();
            ctx.moveTo(bbox.left, top);
            ctx.lineTo(bbox.left + bbox.width, top);
            ctx.stroke();
          }
          ctx.restore();
        },
      ],
    },
  };
}

export interface TooltipParts {
  series: readonly ChartSeries[];
  /** The values as they are, before stacking. */
  values: readonly (readonly (number | null)[])[];
  isHidden: (index: number) => boolean;
  periods: readonly ShadedPeriod[];
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
  return {
    hooks: {
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
          const { idx, left = -1, top = -1 } = plot.cursor;
          const at = idx === null || idx === undefined ? undefined : plot.data[0][idx];
          if (at === undefined || idx === null || idx === undefined || left < 0) {
            box.hidden = true;
            return;
          }
          fill(box, at, rowsAt(parts(), idx, isPointed ? rowsUnderPointer : rowsFollowing), classes);
          box.hidden = false;
          place(box, plot, left, isPointed ? top : 0);
        },
      ],
    },
  };
}

interface TooltipRow {
  color: string | undefined;
  name: string;
  value: string;
}

function rowsAt({ series, values, isHidden }: TooltipParts, index: number, most: number): TooltipRow[] {
  const found = series
    .flatMap((each, at) => {
      const value = values[at]?.[index] ?? null;
      return value === null || isHidden(at) ? [] : [{ each, value }];
    })
    .sort((a, b) => b.value - a.value);
  const shown = found.slice(0, most).map(({ each, value }) => ({
    color: each.color,
    name: each.name,
    value: formatValue(value, each.numberFormat),
  }));
  const rest = found.length - shown.length;
  return rest > 0 ? [...shown, { color: undefined, name: `and ${rest} more`, value: '' }] : shown;
}

function fill(box: HTMLElement, at: number, rows: readonly TooltipRow[], classes: Record<string, string | undefined>) {
  const time = document.createElement('div');
  time.className = classes.tooltipTime ?? '';
  time.textContent = formatInstant(at);
  const lines = rows.map(({ color, name, value }) => {
    const line = document.createElement('div');
    line.className = classes.tooltipRow ?? '';
    const mark = document.createElement('i');
    if (color) mark.style.background = color;
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
