import type { TileHeatmap } from '../../../src/contract/tile-query.ts';
import { pageZone } from '../ui/page-zone.ts';
import { offsetMs } from '../ui/zone-offset.ts';

/** The cells of a heatmap as a grid: columns are buckets, rows are ranges of values from the lowest. */
export interface HeatmapGrid {
  startMs: number;
  endMs: number;
  granularityMs: number;
  /** Start of the first bucket, which may begin before the range. */
  firstMs: number;
  columns: number;
  rows: number;
  edges: readonly number[];
  /** By `column * rows + row`; cells without events are not in it. */
  amounts: ReadonlyMap<number, number>;
  most: number;
}

export interface Cell {
  column: number;
  row: number;
}

/** Some columns and rows, both ends included. */
export interface Region {
  columns: readonly [number, number];
  rows: readonly [number, number];
}

/** What a region means: times and values, both without their upper end. */
export interface RegionBounds {
  startMs: number;
  endMs: number;
  low: number;
  high: number;
}

/** A part of a heatmap, and where on the screen it was chosen. */
export interface ChosenRegion extends RegionBounds {
  at: { x: number; y: number };
  /** Takes the focus back. */
  from: HTMLElement | undefined;
}

export function heatmapGrid(
  { edges, cells }: Pick<TileHeatmap, 'edges' | 'cells'>,
  { startMs, endMs }: { startMs: number; endMs: number },
  granularityMs: number,
): HeatmapGrid {
  // Days begin at the midnight of a zone: any bucket says where all of them do.
  const originMs = cells[0]?.[0] ?? 0;
  const firstMs = originMs + Math.floor((startMs - originMs) / granularityMs) * granularityMs;
  const rows = Math.max(edges.length - 1, 0);
  const columns = Math.ceil((endMs - firstMs) / granularityMs);
  const amounts = new Map<number, number>();
  let most = 0;
  for (const [start, row, amount] of cells) {
    const column = Math.round((start - firstMs) / granularityMs);
    // While the range moves on, the answer of the range before is still shown.
    if (amount === null || column < 0 || column >= columns) continue;
    amounts.set(column * rows + row, amount);
    most = Math.max(most, amount);
  }
  return { startMs, endMs, granularityMs, firstMs, columns, rows, edges, amounts, most };
}

export function amountAt({ amounts, rows }: HeatmapGrid, { column, row }: Cell): number | undefined {
  return amounts.get(column * rows + row);
}

/** How strongly a cell is coloured, 0 to 1: by the logarithm, as a few cells often have nearly all events. */
export function shareOf(amount: number, most: number): number {
  return most <= 0 || amount <= 0 ? 0 : Math.log1p(amount) / Math.log1p(most);
}

/** The cell at a point of the plot, each of its sides from 0 (left, top) to 1; the nearest one for points outside. */
export function cellAt(grid: HeatmapGrid, x: number, y: number): Cell {
  const atMs = grid.startMs + x * (grid.endMs - grid.startMs);
  return {
    column: clamp(Math.floor((atMs - grid.firstMs) / grid.granularityMs), grid.columns),
    row: clamp(Math.floor((1 - y) * grid.rows), grid.rows),
  };
}

function clamp(index: number, count: number): number {
  return Math.min(Math.max(index, 0), count - 1);
}

export function regionBetween(one: Cell, other: Cell): Region {
  return {
    columns: [Math.min(one.column, other.column), Math.max(one.column, other.column)],
    rows: [Math.min(one.row, other.row), Math.max(one.row, other.row)],
  };
}

/** The part of the region's buckets that is within the range, and its values. */
export function boundsOf(grid: HeatmapGrid, { columns, rows }: Region): RegionBounds {
  const { startMs, endMs, firstMs, granularityMs, edges } = grid;
  return {
    startMs: Math.max(firstMs + columns[0] * granularityMs, startMs),
    endMs: Math.min(firstMs + (columns[1] + 1) * granularityMs, endMs),
    low: edges[rows[0]] ?? 0,
    high: edges[rows[1] + 1] ?? 0,
  };
}

/** Where a region lies in the plot, in shares of its sides from the left and the top. */
export function boxOf(grid: HeatmapGrid, region: Region): { left: number; top: number; width: number; height: number } {
  const { startMs, endMs } = boundsOf(grid, region);
  const length = grid.endMs - grid.startMs;
  const height = (region.rows[1] - region.rows[0] + 1) / grid.rows;
  return {
    left: (startMs - grid.startMs) / length,
    width: (endMs - startMs) / length,
    top: 1 - (region.rows[1] + 1) / grid.rows,
    height,
  };
}

/** The sum of the amounts of a region, of counts the number of its events. */
export function totalOf(grid: HeatmapGrid, { columns, rows }: Region): number {
  let total = 0;
  for (let column = columns[0]; column <= columns[1]; column++) {
    for (let row = rows[0]; row <= rows[1]; row++) total += amountAt(grid, { column, row }) ?? 0;
  }
  return total;
}

/** Every nth edge, so that about `wanted` are labelled; whole decades where the scale is logarithmic. */
export function labelledEdges(edges: readonly number[], scale: TileHeatmap['scale'], wanted: number): number[] {
  const all = edges.map((_, index) => index);
  const decades = all.filter((index) => isPowerOfTen(edges[index] ?? 0));
  const candidates = scale === 'log' && decades.length > 1 ? decades : all;
  const step = Math.max(1, Math.ceil(candidates.length / Math.max(wanted, 1)));
  return candidates.filter((_, index) => index % step === 0);
}

function isPowerOfTen(value: number): boolean {
  if (value <= 0) return false;
  const power = Math.log10(value);
  return Math.abs(power - Math.round(power)) < 1e-9;
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const steps = [
  ...[1, 5, 15, 30].map((count) => count * second),
  ...[1, 5, 15, 30].map((count) => count * minute),
  ...[1, 3, 6, 12].map((count) => count * hour),
  ...[1, 2, 7, 14, 30, 90].map((count) => count * day),
];

/** Round instants of the zone of the page within the range, and the distance between them. */
export function timeLabels(startMs: number, endMs: number, wanted: number): { atMs: number[]; stepMs: number } {
  const stepMs = steps.find((step) => (endMs - startMs) / step <= Math.max(wanted, 1)) ?? 365 * day;
  const behindMs = -offsetMs(pageZone(), startMs);
  const first = Math.ceil((startMs - behindMs) / stepMs) * stepMs + behindMs;
  const atMs: number[] = [];
  for (let at = first; at < endMs; at += stepMs) atMs.push(at);
  return { atMs, stepMs };
}
