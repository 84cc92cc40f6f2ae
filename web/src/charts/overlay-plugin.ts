import type uPlot from 'uplot';
import { chartFont } from './chart-options.ts';
import type { ShadedPeriod, Threshold } from './chart-series.ts';
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
