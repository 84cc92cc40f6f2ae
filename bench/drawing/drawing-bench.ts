import { openDemo, type RunningDemo } from '../../scripts/demo/open-demo.mjs';
import type { Row } from '../report.ts';
import { median } from '../statistics.ts';
import { type Drawing, DrawingPage, type TilesAnswer } from './drawing-page.ts';

const rounds = 7;
const [seriesMax, pointsMax] = [20, 1_000];
const week = 'from=now-7d&to=now';

/** The built pages over a week of the demo's telemetry: what a chart with many points costs, and a whole dashboard. */
export async function benchDrawing(): Promise<Row[]> {
  const demo = await openDemo({ SIGNALBOX_DEMO_DAYS: '7' });
  try {
    const { one, twenty } = await makeDashboards(demo);
    const page = await DrawingPage.open(demo);
    try {
      return [...(await benchTile(page, one)), ...(await benchDashboard(page, twenty))];
    } finally {
      await page.close();
    }
  } finally {
    await demo.interrupt();
  }
}

async function benchTile(page: DrawingPage, dashboardId: string): Promise<Row[]> {
  const path = `/dashboards/${dashboardId}?${week}`;
  const first = await medianOf(() => page.first(path, manyPoints));
  const again = await medianOf(() => page.again(manyPoints));
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

/** One line chart for the tile, full of points that no two answers share. */
const manyPoints: TilesAnswer = ({ startTime, endTime, tiles }) => {
  const granularityMs = Math.floor((endTime - startTime) / pointsMax);
  const points = (series: number) =>
    Array.from({ length: pointsMax }, (_, index) => [
      startTime + index * granularityMs,
      Math.round(1_000 * (series + 2 + Math.sin(index / 30 + series) + 0.3 * Math.random())) / 10,
    ]);
  const series = Array.from({ length: seriesMax }, (_, index) => ({
    name: 'count',
    group: [`service-${index}`],
    select: 0,
    points: points(index),
  }));
  const meta = { rowsRead: 0, bytesRead: 0, elapsedMs: 0, cache: 'off', exact: true, truncated: false };
  return {
    data: tiles.map(({ ref }) => ({ ref, displayType: 'line', granularity: '10m', granularityMs, series, meta })),
  };
};

interface Tile {
  id: string;
  h: number;
}

async function makeDashboards(demo: RunningDemo): Promise<{ one: string; twenty: string }> {
  const [shop] = await call<{ tiles: Tile[] }[]>(demo, 'dashboards');
  const tiles = (shop?.tiles ?? []).map(({ id: _, ...tile }) => tile);
  const large = tiles.filter(({ h }) => h >= 8);
  const all = [...tiles, ...large, ...large].slice(0, 20);
  if (all.length < 20) throw new Error(`The demo's dashboard has only ${tiles.length} tiles.`);
  const [one, twenty] = await Promise.all([
    call<{ id: string }>(demo, 'dashboards', { name: 'One tile', tiles: large.slice(0, 1) }),
    call<{ id: string }>(demo, 'dashboards', { name: 'Twenty tiles', tiles: all }),
  ]);
  return { one: one.id, twenty: twenty.id };
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
