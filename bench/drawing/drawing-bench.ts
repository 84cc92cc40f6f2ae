import { openDemo, type RunningDemo } from '../../scripts/demo/open-demo.mjs';
import type { Row } from '../report.ts';
import { median, percentile } from '../statistics.ts';
import { type Drawing, DrawingPage, type TilesAnswer } from './drawing-page.ts';
import { type FirstChart, firstCharts } from './first-chart.ts';
import { keptOver } from './long-watch.ts';

const rounds = 7;
const [seriesMax, pointsMax] = [20, 1_000];
const [hoverSeries, hoverPoints, hoverMoves] = [5, 360, 200];
const watchMinutes = 30;
const week = 'from=now-7d&to=now';

/** The built pages over a week of the demo's telemetry: what a chart with many points costs, and a whole dashboard. */
export async function benchDrawing(): Promise<Row[]> {
  const demo = await openDemo({ SIGNALBOX_DEMO_DAYS: '7' });
  try {
    const { one, twenty, forty } = await makeDashboards(demo);
    const page = await DrawingPage.open(demo);
    try {
      return [
        ...(await benchFirstChart(demo, twenty)),
        ...(await benchTile(page, one)),
        ...(await benchDashboard(page, twenty)),
        ...(await benchHover(page, forty)),
        ...(await benchLongWatch(demo, twenty)),
      ];
    } finally {
      await page.close();
    }
  } finally {
    await demo.interrupt();
  }
}

async function benchFirstChart(demo: RunningDemo, dashboardId: string): Promise<Row[]> {
  const visits: { cold: FirstChart; warm: FirstChart }[] = [];
  for (let round = 0; round < rounds; round++) visits.push(await firstCharts(demo, `/dashboards/${dashboardId}`));
  const of = (kind: 'cold' | 'warm', figure: keyof FirstChart) => median(visits.map((visit) => visit[kind][figure]));
  const cold = '20 tiles over the last hour, in a browser that has loaded nothing';
  const warm = '20 tiles over the last hour, in a browser that knows the pages';
  return [
    { name: `${cold}: navigation → first paint`, unit: 'ms', subject: of('cold', 'paintMs'), goal: '≤ 1,000' },
    { name: `${cold}: navigation → first chart`, unit: 'ms', subject: of('cold', 'chartMs'), goal: '≤ 1,500' },
    { name: `${cold}: navigation → first chart`, unit: 'CPU ms', subject: of('cold', 'cpuMs'), goal: 'for comparison' },
    { name: `${warm}: navigation → first paint`, unit: 'ms', subject: of('warm', 'paintMs'), goal: 'for comparison' },
    { name: `${warm}: navigation → first chart`, unit: 'ms', subject: of('warm', 'chartMs'), goal: 'for comparison' },
    { name: `${warm}: navigation → first chart`, unit: 'CPU ms', subject: of('warm', 'cpuMs'), goal: 'for comparison' },
    { name: `${cold}: JavaScript, compressed`, unit: 'kB', subject: of('cold', 'scriptKb'), goal: '≤ 250' },
    { name: `${cold}: files of JavaScript`, unit: 'files', subject: of('cold', 'scripts'), goal: '≤ 15' },
  ];
}

async function benchHover(page: DrawingPage, dashboardId: string): Promise<Row[]> {
  await page.first(`/dashboards/${dashboardId}?${week}`, linesOf(hoverSeries, hoverPoints));
  // The first moves are interpreted.
  await page.hover(20);
  const taken = await page.hover(hoverMoves);
  const what = `40 tiles of ${hoverSeries} × ${hoverPoints} points: a move of the mouse over a chart, shown in all`;
  return [
    { name: `${what}, median`, unit: 'CPU ms', subject: median(taken), goal: '≤ 30' },
    { name: `${what}, 95th percentile`, unit: 'CPU ms', subject: percentile(taken, 0.95), goal: '≤ 30' },
  ];
}

/** Flat is what grows by less than a twentieth in the second half. */
async function benchLongWatch(demo: RunningDemo, dashboardId: string): Promise<Row[]> {
  const watch = {
    path: `/dashboards/${dashboardId}`,
    minutes: watchMinutes,
    shares: [0.1, 0.5, 1],
    answer: linesOf(hoverSeries, hoverPoints),
  };
  const [early, half, end] = await keptOver(demo, watch);
  if (!early || !half || !end) throw new Error('the page was not measured three times');
  const what = `20 tiles of ${hoverSeries} × ${hoverPoints} points, refreshed every 10 s for ${watchMinutes} minutes`;
  const rows = (name: string, unit: string, figure: 'heapMb' | 'nodes' | 'listeners'): Row[] => [
    { name: `${what}: ${name} after a tenth`, unit, subject: early[figure], goal: 'for comparison' },
    { name: `${what}: ${name} after half`, unit, subject: half[figure], goal: 'for comparison' },
    {
      name: `${what}: ${name} at the end; ratio = end / half`,
      unit,
      subject: end[figure],
      bound: half[figure],
      ratio: end[figure] / half[figure],
      goal: '≤ 1.05',
    },
  ];
  return [
    ...rows('heap', 'MB', 'heapMb'),
    ...rows('DOM nodes', 'nodes', 'nodes'),
    ...rows('listeners', 'listeners', 'listeners'),
  ];
}

async function benchTile(page: DrawingPage, dashboardId: string): Promise<Row[]> {
  const path = `/dashboards/${dashboardId}?${week}`;
  const first = await medianOf(() => page.first(path, linesOf(seriesMax, pointsMax)));
  const again = await medianOf(() => page.again(linesOf(seriesMax, pointsMax)));
  const what = '20 series × 1,000 points: answer in hand → painted';
  return [
    { name: `${what}, in a page just opened`, unit: 'CPU ms', subject: first.cpuMs, goal: '≤ 50' },
    { name: `${what}, with new points`, unit: 'CPU ms', subject: again.cpuMs, goal: '≤ 50' },
    { name: `${what}, with new points`, unit: 'ms', subject: again.wallMs, goal: '≤ 50' },
  ];
}

async function benchDashboard(page: DrawingPage, dashboardId: string): Promise<Row[]> {
  const { wallMs, cpuMs } = await medianOf(() => page.first(`/dashboards/${dashboardId}?${week}`));
  const what = '20 tiles over 7 days: answer in hand → all painted, in a page just opened';
  return [
    { name: what, unit: 'ms', subject: wallMs, goal: '≤ 1,000' },
    { name: what, unit: 'CPU ms', subject: cpuMs, goal: 'for comparison' },
  ];
}

/** The first round fills caches of the browser and of the program. */
async function medianOf(measure: () => Promise<Drawing>): Promise<Drawing> {
  const drawings: Drawing[] = [];
  for (let round = 0; round <= rounds; round++) drawings.push(await measure());
  const measured = drawings.slice(1);
  return {
    wallMs: median(measured.map(({ wallMs }) => wallMs)),
    cpuMs: median(measured.map(({ cpuMs }) => cpuMs)),
  };
}

/** A line chart for each tile, full of points that no two answers share. */
function linesOf(seriesCount: number, pointCount: number): TilesAnswer {
  return ({ startTime, endTime, tiles }) => {
    const granularityMs = Math.floor((endTime - startTime) / pointCount);
    const points = (series: number) =>
      Array.from({ length: pointCount }, (_, index) => [
        startTime + index * granularityMs,
        Math.round(1_000 * (series + 2 + Math.sin(index / 30 + series) + 0.3 * Math.random())) / 10,
      ]);
    const series = () =>
      Array.from({ length: seriesCount }, (_, index) => ({
        name: 'count',
        group: [`service-${index}`],
        select: 0,
        points: points(index),
      }));
    const meta = { rowsRead: 0, bytesRead: 0, elapsedMs: 0, cache: 'off', exact: true, truncated: false };
    return {
      data: tiles.map(({ ref }) => ({
        ...{ ref, displayType: 'line', granularity: '10m', granularityMs, series: series(), meta },
      })),
    };
  };
}

interface Tile {
  id: string;
  h: number;
}

/** By how many tiles they have; the forty are charts, three in a row. */
async function makeDashboards(demo: RunningDemo): Promise<{ one: string; twenty: string; forty: string }> {
  const [shop] = await call<{ tiles: Tile[] }[]>(demo, 'dashboards');
  const tiles = (shop?.tiles ?? []).map(({ id: _, ...tile }) => tile);
  const large = tiles.filter(({ h }) => h >= 8);
  const all = [...tiles, ...large, ...large].slice(0, 20);
  if (all.length < 20) throw new Error(`The demo's dashboard has only ${tiles.length} tiles.`);
  const [chart] = large;
  const placed = (place: number) => ({ ...chart, x: (place % 3) * 8, y: Math.floor(place / 3) * 6, w: 8, h: 6 });
  const [one, twenty, forty] = await Promise.all([
    call<{ id: string }>(demo, 'dashboards', { name: 'One tile', tiles: large.slice(0, 1) }),
    call<{ id: string }>(demo, 'dashboards', { name: 'Twenty tiles', tiles: all }),
    call<{ id: string }>(demo, 'dashboards', {
      name: 'Forty tiles',
      tiles: Array.from({ length: 40 }, (_, place) => placed(place)),
    }),
  ]);
  return { one: one.id, twenty: twenty.id, forty: forty.id };
}

async function call<T>({ api, key }: RunningDemo, path: string, body?: object): Promise<T> {
  const answer = await fetch(`${api}/${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text.slice(0, 300)}`);
  return (JSON.parse(text) as { data: T }).data;
}
