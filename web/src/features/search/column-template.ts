import type { ListColumn } from './list-columns.ts';

const usualPx: Record<ListColumn['kind'], number> = {
  time: 216,
  level: 66,
  service: 130,
  text: 240,
  duration: 84,
  field: 160,
};
const gapPx = 10;

type Widths = Readonly<Record<string, number>>;

/** The width that was chosen for a column, else the usual one of its kind. */
export function widthOf({ kind, expression }: ListColumn, widths: Widths): number {
  return widths[expression] ?? usualPx[kind];
}

/** `grid-template-columns` of the list; the last message, else the last column, takes the room that is left. */
export function columnTemplate(
  columns: readonly ListColumn[],
  widths: Widths,
): { template: string; minWidthPx: number } {
  const isFree = ({ expression }: ListColumn) => widths[expression] === undefined;
  const growing = columns.findLastIndex((column) => column.kind === 'text' && isFree(column));
  const grows = growing === -1 ? columns.length - 1 : growing;
  const sizes = columns.map((column) => widthOf(column, widths));
  return {
    template: sizes.map((px, index) => (index === grows ? `minmax(${px}px, 1fr)` : `${px}px`)).join(' '),
    minWidthPx: sizes.reduce((sum, px) => sum + px + gapPx, 2 * gapPx),
  };
}
