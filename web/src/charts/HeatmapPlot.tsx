import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import type { TileHeatmap } from '../../../src/contract/tile-query.ts';
import { clockText, dayText } from '../ui/instant-text.ts';
import { formatTick } from './format-value.ts';
import classes from './Heatmap.module.css';
import {
  boundsOf,
  boxOf,
  type Cell,
  type ChosenRegion,
  cellAt,
  type HeatmapGrid,
  labelledEdges,
  type Region,
  regionBetween,
  shareOf,
  timeLabels,
} from './heatmap-grid.ts';
import { regionLines } from './heatmap-texts.ts';
import { type ColorScheme, heatColor } from './palette.ts';

export interface HeatmapPlotProps {
  label: string;
  heatmap: TileHeatmap;
  grid: HeatmapGrid;
  scheme: ColorScheme;
  onRegion?: ((region: ChosenRegion) => void) | undefined;
}

/** What the pointer or the keyboard is at: from `anchor`, where a selection began, to `cell`. */
interface Cursor {
  anchor: Cell;
  cell: Cell;
  byKeyboard: boolean;
}

const hint = 'Arrow keys move between cells, with Shift they take in several.';
const actionsHint = 'Enter shows what can be done with them.';

/** The cells, drawn on a canvas; parts are chosen by dragging and read with the arrow keys. */
export function HeatmapPlot({ label, heatmap, grid, scheme, onRegion }: HeatmapPlotProps) {
  const plot = useRef<HTMLDivElement>(null);
  const [cursor, setCursor] = useState<Cursor>();
  const [isDragging, setDragging] = useState(false);
  const size = useDrawing(plot, grid, scheme);
  const region = cursor && regionBetween(cursor.anchor, cursor.cell);

  const cellUnder = ({ clientX, clientY }: { clientX: number; clientY: number }): Cell => {
    const box = plot.current?.getBoundingClientRect() ?? new DOMRect();
    return cellAt(grid, (clientX - box.left) / box.width, (clientY - box.top) / box.height);
  };
  const choose = (chosen: Region, at: { x: number; y: number }) =>
    onRegion?.({ ...boundsOf(grid, chosen), at, from: plot.current ?? undefined });
  /** What the keyboard has taken in, and the middle of its lower edge on the screen. */
  const atRegion = ({ anchor, cell }: Cursor): [Region, { x: number; y: number }] => {
    const chosen = regionBetween(anchor, cell);
    const part = boxOf(grid, chosen);
    const box = plot.current?.getBoundingClientRect() ?? new DOMRect();
    const x = box.left + (part.left + part.width / 2) * box.width;
    return [chosen, { x, y: box.top + (part.top + part.height) * box.height }];
  };
  const press = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const cell = cellUnder(event);
    setDragging(true);
    setCursor({ anchor: cell, cell, byKeyboard: false });
  };
  const move = (event: PointerEvent<HTMLElement>) => {
    const cell = cellUnder(event);
    setCursor((now) => ({ anchor: isDragging && now ? now.anchor : cell, cell, byKeyboard: false }));
  };
  const release = (event: PointerEvent<HTMLElement>) => {
    if (!isDragging || !cursor) return;
    setDragging(false);
    choose(regionBetween(cursor.anchor, cellUnder(event)), { x: event.clientX, y: event.clientY });
  };
  const type = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Escape' && cursor?.byKeyboard) setCursor(undefined);
    else if (event.key in arrows) setCursor((now) => moved(grid, now, event));
    else return;
    event.preventDefault();
  };
  /** When the key comes up: a menu that opened under the key going down would take that for its own and close. */
  const enter = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Enter' && cursor?.byKeyboard) choose(...atRegion(cursor));
  };

  return (
    <div className={classes.axes}>
      <ValueAxis heatmap={heatmap} heightPx={size.height} />
      <div
        ref={plot}
        className={classes.plot}
        role="application"
        aria-roledescription="heatmap"
        aria-label={[`${label}.`, hint, ...(onRegion ? [actionsHint] : [])].join(' ')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: cells are chosen by keyboard
        tabIndex={0}
        onPointerDown={press}
        onPointerMove={move}
        onPointerUp={release}
        onPointerLeave={() => isDragging || setCursor(undefined)}
        onPointerCancel={() => setDragging(false)}
        onBlur={() => setCursor((now) => (now?.byKeyboard ? undefined : now))}
        onKeyDown={type}
        onKeyUp={enter}
      >
        <canvas aria-hidden />
        {region ? <Selection grid={grid} region={region} heatmap={heatmap} /> : null}
        <span className={classes.spoken} role="status">
          {cursor?.byKeyboard && region ? regionLines(grid, region, heatmap).join(', ') : ''}
        </span>
      </div>
      <TimeAxis grid={grid} widthPx={size.width} />
    </div>
  );
}

const arrows: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

function moved(grid: HeatmapGrid, now: Cursor | undefined, { key, shiftKey }: { key: string; shiftKey: boolean }) {
  const [right, up] = arrows[key] ?? [0, 0];
  const within = (index: number, count: number) => Math.min(Math.max(index, 0), count - 1);
  const cell = now
    ? { column: within(now.cell.column + right, grid.columns), row: within(now.cell.row + up, grid.rows) }
    : busiestCell(grid);
  return { anchor: now && shiftKey ? now.anchor : cell, cell, byKeyboard: true };
}

/** Where a person without a pointer begins. */
function busiestCell({ amounts, rows, most }: HeatmapGrid): Cell {
  const [place = 0] = [...amounts].find(([, amount]) => amount === most) ?? [];
  return { column: Math.floor(place / rows), row: place % rows };
}

function Selection({ grid, region, heatmap }: { grid: HeatmapGrid; region: Region; heatmap: TileHeatmap }) {
  const { left, top, width, height } = boxOf(grid, region);
  const percent = (share: number) => `${share * 100}%`;
  const isRight = left + width / 2 > 0.5;
  const beside = isRight
    ? { right: percent(1 - left), marginRight: 6 }
    : { left: percent(left + width), marginLeft: 6 };
  const vertical = top > 0.5 ? { bottom: percent(1 - top - height) } : { top: percent(top) };
  return (
    <>
      <div
        className={classes.selection}
        style={{ left: percent(left), top: percent(top), width: percent(width), height: percent(height) }}
      />
      <div className={classes.tooltip} style={{ ...beside, ...vertical }} aria-hidden>
        {regionLines(grid, region, heatmap).map((line) => (
          <div key={line}>{line}</div>
        ))}
      </div>
    </>
  );
}

function ValueAxis({ heatmap, heightPx }: { heatmap: TileHeatmap; heightPx: number }) {
  const { edges, scale, numberFormat } = heatmap;
  const rows = edges.length - 1;
  return (
    <div className={classes.values} aria-hidden>
      {/* As wide as the longest label. */}
      <span className={classes.widest}>{longest(edges.map((edge) => formatTick(edge, numberFormat)))}</span>
      {labelledEdges(edges, scale, heightPx / 36).map((index) => (
        <span key={index} style={{ bottom: `${(index / rows) * 100}%` }}>
          {formatTick(edges[index] ?? 0, numberFormat)}
        </span>
      ))}
    </div>
  );
}

function longest(texts: readonly string[]): string {
  return texts.reduce((most, text) => (text.length > most.length ? text : most), '');
}

function TimeAxis({ grid: { startMs, endMs }, widthPx }: { grid: HeatmapGrid; widthPx: number }) {
  const { atMs, stepMs } = timeLabels(startMs, endMs, Math.floor(widthPx / 70));
  return (
    <div className={classes.times} aria-hidden>
      {atMs.map((at) => (
        <span key={at} style={{ left: `${((at - startMs) / (endMs - startMs)) * 100}%` }}>
          {timeText(at, stepMs)}
        </span>
      ))}
    </div>
  );
}

function timeText(atMs: number, stepMs: number): string {
  const isMidnight = clockText(atMs, true) === '00:00:00';
  return isMidnight ? dayText(atMs) : clockText(atMs, stepMs < 60_000);
}

/** Draws the cells whenever they or the size of the plot change; the size in pixels. */
function useDrawing(plot: { current: HTMLElement | null }, grid: HeatmapGrid, scheme: ColorScheme) {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useEffect(() => {
    const host = plot.current;
    if (!host) return;
    const watch = new ResizeObserver(() => setSize({ width: host.clientWidth, height: host.clientHeight }));
    watch.observe(host);
    return () => watch.disconnect();
  }, [plot]);
  useEffect(() => {
    const canvas = plot.current?.querySelector('canvas');
    if (canvas) drawCells(canvas, grid, scheme, size);
  }, [plot, grid, scheme, size]);
  return size;
}

function drawCells(
  canvas: HTMLCanvasElement,
  grid: HeatmapGrid,
  scheme: ColorScheme,
  { width, height }: { width: number; height: number },
): void {
  canvas.width = Math.round(width * devicePixelRatio);
  canvas.height = Math.round(height * devicePixelRatio);
  const context = canvas.getContext('2d');
  if (!context) return;
  const gap = canvas.width / grid.columns > 4 * devicePixelRatio ? devicePixelRatio : 0;
  for (const [place, amount] of grid.amounts) {
    const cell = { column: Math.floor(place / grid.rows), row: place % grid.rows };
    const box = boxOf(grid, regionBetween(cell, cell));
    const [left, right] = [box.left, box.left + box.width].map((share) => Math.round(share * canvas.width));
    const [top, bottom] = [box.top, box.top + box.height].map((share) => Math.round(share * canvas.height));
    context.fillStyle = heatColor(shareOf(amount, grid.most), scheme);
    const [x = 0, y = 0] = [left, top];
    context.fillRect(x, y, Math.max((right ?? 0) - x - gap, 1), Math.max((bottom ?? 0) - y - gap, 1));
  }
}
