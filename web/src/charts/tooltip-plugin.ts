import type uPlot from 'uplot';
import { instantText } from '../ui/instant-text.ts';
import { placeInNextFrame } from './place-boxes.ts';
import { pointedIndex } from './point-plugin.ts';
import { type PlottedSeries, rowsAt, type TooltipRow } from './tooltip-rows.ts';

export interface TooltipParts extends PlottedSeries {
  /** Values are those of whole buckets: bars and steps. */
  holdsBucket: boolean;
}

type Classes = Record<string, string | undefined>;

const rowsUnderPointer = 12;
/** Charts that only follow another one's pointer say less. */
const rowsFollowing = 3;

/** What the box lists; as long as that stays the same, the box is only moved. */
interface Listed {
  parts: TooltipParts;
  idx: number;
  isPointed: boolean;
  nearest: number | undefined;
}

/** A box beside the pointer, filled without React: it changes with every move of the mouse. */
export function tooltipPlugin(parts: () => TooltipParts, classes: Classes): uPlot.Plugin {
  const box = document.createElement('div');
  box.className = classes.tooltip ?? '';
  box.hidden = true;
  let isPointed = false;
  /** Place of the series whose line is nearest to the pointer. */
  let nearest: number | undefined;
  let listed: Listed | undefined;
  const list = (now: Listed, at: number) => {
    if (isSame(listed, now)) return;
    listed = now;
    const rows = now.isPointed
      ? { most: rowsUnderPointer, nearest: now.nearest }
      : { most: rowsFollowing, nearest: undefined };
    fill(box, at, rowsAt(now.parts, now.idx, rows), classes);
  };
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
          const now = parts();
          const idx = pointedIndex(plot, now.holdsBucket);
          const at = idx === undefined ? undefined : plot.data[0][idx];
          if (at === undefined || idx === undefined) {
            box.hidden = true;
            return;
          }
          list({ parts: now, idx, isPointed, nearest: isPointed ? nearest : undefined }, at);
          box.hidden = false;
          placeInNextFrame(box, { left, top: isPointed ? top : 0, ...sizeOf(plot) });
        },
      ],
    },
  };
}

function isSame(before: Listed | undefined, { parts, idx, isPointed, nearest }: Listed): boolean {
  return before?.parts === parts && before.idx === idx && before.isPointed === isPointed && before.nearest === nearest;
}

/** Of the plot, as it was drawn: asking the page would have it laid out. */
function sizeOf({ bbox }: uPlot): { width: number; height: number } {
  return { width: bbox.width / devicePixelRatio, height: bbox.height / devicePixelRatio };
}

function fill(box: HTMLElement, at: number, rows: readonly TooltipRow[], classes: Classes) {
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
