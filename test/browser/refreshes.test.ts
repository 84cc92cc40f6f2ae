import type { CDPSession, Page, Route } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { describeInBrowser, logIn, visit } from '../support/browser.ts';
import { everyTile } from '../support/every-tile.ts';
import { type SharedDemo, sharedDemo } from '../support/run-demo.ts';

/** Services of the demo that write logs. */
const seriesOfDemo = 4;

interface Answered {
  data: { series?: { points: [number, number | null][] }[]; rows?: (string | number | null)[][] }[];
}

describeInBrowser('a page that stays open', () => {
  let demo: SharedDemo;
  let path: string;

  beforeAll(async () => {
    demo = await sharedDemo();
    const sources = await call<{ id: string; kind: string }[]>('GET', '/sources');
    const tiles = everyTile((kind) => sources.find((source) => source.kind === kind)?.id ?? '');
    const board = await call<{ id: string }>('POST', '/dashboards', {
      ...{ name: 'Open for days', tiles: tiles.map(({ tile }) => tile) },
    });
    path = `/dashboards/${board.id}?from=${demo.settledUntilMs - 1_800_000}&to=${demo.settledUntilMs}`;
  });

  async function call<T>(method: string, apiPath: string, body?: unknown): Promise<T> {
    const headers = { authorization: `Bearer ${demo.key}`, 'content-type': 'application/json' };
    const answer = await fetch(demo.api + apiPath, {
      method,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return ((await answer.json()) as { data: T }).data;
  }

  it('keeps nothing of what it showed before a refresh, whether its charts are drawn again or made again', async () => {
    const { page } = await visit(demo.web);
    await logIn(page, demo);
    let answers = 0;
    await page.route('**/charts/tiles', (route) => answerChanged(route, answers++));
    await page.goto(path);
    const live = await LiveObjects.of(page);
    const refresh = async () => {
      const before = answers;
      await page.getByRole('button', { name: 'Refresh now' }).click();
      await expect.poll(() => answers).toBe(before + 1);
      await page.locator('button[aria-label="Refresh now"][aria-busy=false]').waitFor();
      await showsSeries(page, before);
    };
    await showsSeries(page, 0);
    for (const _ of [1, 2, 3, 4]) await refresh();
    const before = await live.count();
    expect(before.canvases).toBeGreaterThanOrEqual(3);
    for (const _ of [1, 2, 3, 4, 5, 6]) await refresh();
    // Half of them make the charts again. A pointer or a focus that just moved may hold one thing more.
    await expect.poll(() => live.leftBy(3, before)).toEqual({ canvases: 0, nodes: 0, listeners: 0 });
  });

  it('keeps nothing of pages that were left', async () => {
    const { page } = await visit(demo.web);
    await logIn(page, demo);
    await page.goto('/dashboards');
    const live = await LiveObjects.of(page);
    const there = async () => {
      await page.getByRole('link', { name: 'Open for days' }).click();
      await page.locator('canvas').nth(2).waitFor();
      await page.getByRole('heading', { level: 1, name: 'About' }).waitFor();
    };
    const away = async () => {
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dashboards' }).click();
      await page.getByRole('table', { name: 'Dashboards' }).waitFor();
    };
    for (const _ of [1, 2]) {
      await there();
      await away();
    }
    const before = await live.count();
    const visits = [1, 2, 3, 4];
    for (const _ of visits) {
      await there();
      await away();
    }
    // React may hold the page that was drawn last until it draws again, and the list has a few nodes more or less.
    await expect.poll(() => live.leftBy(visits.length, before)).toSatisfy(isLittle);
  });
});

/** What the program says with other values; every second answer has a series less, so that charts are made again. */
async function answerChanged(route: Route, turn: number): Promise<void> {
  const answer = await route.fetch();
  const { data } = (await answer.json()) as Answered;
  for (const { series, rows } of data) {
    for (const { points } of series ?? []) for (const point of points) point[1] = (point[1] ?? 0) + turn;
    if (turn % 2 === 1) series?.pop();
    for (const row of rows ?? [])
      row.splice(0, row.length, ...row.map((cell) => (typeof cell === 'number' ? cell + turn : cell)));
  }
  await route.fulfill({ json: { data } });
}

/** The first chart has a series less after every second answer. */
async function showsSeries(page: Page, turn: number): Promise<void> {
  const names = page.getByRole('region', { name: 'line', exact: true }).getByRole('listitem');
  await expect.poll(() => names.count()).toBe(seriesOfDemo - (turn % 2));
}

/** A dashboard has canvases, thousands of nodes and hundreds of listeners. */
function isLittle({ canvases, nodes, listeners }: Counted): boolean {
  return canvases === 0 && nodes < 75 && listeners < 8;
}

interface Counted {
  canvases: number;
  nodes: number;
  listeners: number;
}

/** Counts what the page cannot let go, also of what is no longer in its document. */
class LiveObjects {
  readonly #session: CDPSession;

  private constructor(session: CDPSession) {
    this.#session = session;
  }

  static async of(page: Page): Promise<LiveObjects> {
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable');
    return new LiveObjects(session);
  }

  /** What each of so many equal steps has left since `before`: what leaks leaves one of its kind each time. */
  async leftBy(steps: number, before: Counted): Promise<Counted> {
    const { canvases, nodes, listeners } = await this.count();
    const each = (grown: number) => Math.max(0, Math.floor(grown / steps));
    return {
      canvases: each(canvases - before.canvases),
      nodes: each(nodes - before.nodes),
      listeners: each(listeners - before.listeners),
    };
  }

  async count(): Promise<Counted> {
    const canvases = await this.#instances('HTMLCanvasElement.prototype');
    await this.#session.send('HeapProfiler.collectGarbage');
    const { metrics } = await this.#session.send('Performance.getMetrics');
    const metric = (name: string) => metrics.find((each) => each.name === name)?.value ?? Number.NaN;
    return { canvases, nodes: metric('Nodes'), listeners: metric('JSEventListeners') };
  }

  async #instances(prototype: string): Promise<number> {
    const objectGroup = 'counted';
    const { result } = await this.#session.send('Runtime.evaluate', { expression: prototype, objectGroup });
    const { objects } = await this.#session.send('Runtime.queryObjects', {
      prototypeObjectId: result.objectId ?? '',
      objectGroup,
    });
    const length = await this.#session.send('Runtime.callFunctionOn', {
      ...{ objectId: objects.objectId ?? '', functionDeclaration: 'function () { return this.length; }' },
      returnByValue: true,
    });
    await this.#session.send('Runtime.releaseObjectGroup', { objectGroup });
    return Number(length.result.value);
  }
}
