import { join } from 'node:path';
import type { Browser, Page, Route } from 'playwright-core';
import type { RunningDemo } from '../../scripts/demo/open-demo.mjs';
import { launchBrowser, PageMetrics, visitDemo } from './bench-browser.ts';

/** From an answer in hand until all of it is painted. */
export interface Drawing {
  wallMs: number;
  /** CPU of the page's main thread: the answer's arrival, script, layout, painting of canvases. */
  cpuMs: number;
}

/** What `POST /charts/tiles` is answered instead of what the program says. */
export type TilesAnswer = (body: { startTime: number; endTime: number; tiles: { ref: string }[] }) => object;

export const tilesAddress = '**/charts/tiles';
/** Runs in the page: `drawn()`, `painted()` and `firstChartMs()`. */
export const watchScript = { path: join(import.meta.dirname, 'watch-drawing.js') };

/** The built pages in a browser, which hold back the answer for a dashboard's tiles until everything else has been drawn. */
export class DrawingPage {
  readonly #browser: Browser;
  readonly #page: Page;
  readonly #metrics: PageMetrics;

  private constructor(browser: Browser, page: Page, metrics: PageMetrics) {
    this.#browser = browser;
    this.#page = page;
    this.#metrics = metrics;
  }

  /** Logged in. */
  static async open(demo: RunningDemo): Promise<DrawingPage> {
    const browser = await launchBrowser();
    const context = await visitDemo(browser, demo);
    await context.addInitScript(watchScript);
    const page = await context.newPage();
    await page.goto('/dashboards');
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    return new DrawingPage(browser, page, await PageMetrics.of(page));
  }

  /** A dashboard that was not on the screen before. */
  first(path: string, answer?: TilesAnswer): Promise<Drawing> {
    return this.#measure(() => this.#page.goto(path), answer);
  }

  /** The dashboard on the screen with new points. */
  again(answer?: TilesAnswer): Promise<Drawing> {
    return this.#measure(() => this.#page.getByRole('button', { name: 'Refresh now' }).click(), answer);
  }

  /**
   * CPU of each move of the mouse along the charts that are in sight, until what it changed is painted. The mouse is
   * somewhere else each time, as it is under a hand.
   */
  async hover(moves: number): Promise<number[]> {
    const boxes = await this.#plotsInSight();
    const taken: number[] = [];
    for (let move = 0; move < moves; move++) {
      const { x, y, width, height } = boxes[Math.floor((move * boxes.length) / moves)] ?? {
        x: 0,
        y: 0,
        width: 0,
        height: 0,
      };
      const along = ((move * 0.037) % 0.9) + 0.05;
      const beforeMs = await this.#metrics.cpuMs();
      await this.#page.mouse.move(x + width * along, y + height * (0.3 + 0.4 * along));
      await this.#page.evaluate('painted()');
      taken.push((await this.#metrics.cpuMs()) - beforeMs);
    }
    return taken;
  }

  close(): Promise<void> {
    return this.#browser.close();
  }

  async #plotsInSight() {
    const boxes = await Promise.all((await this.#page.locator('.u-over').all()).map((plot) => plot.boundingBox()));
    const seen = boxes.filter((box) => box !== null).filter(({ y, height }) => y > 0 && y + height < 900);
    if (seen.length === 0) throw new Error('No chart is in sight.');
    return seen;
  }

  async #measure(ask: () => Promise<unknown>, answer: TilesAnswer | undefined): Promise<Drawing> {
    const asked = new Promise<Route>((done) => void this.#page.route(tilesAddress, done, { times: 1 }));
    await ask();
    const route = await asked;
    const body = answer ? JSON.stringify(answer(route.request().postDataJSON())) : await (await route.fetch()).text();
    const beforeMs = await this.#idleCpuMs();
    await route.fulfill({ status: 200, contentType: 'application/json', body });
    const wallMs = Number(await this.#page.evaluate('drawn()'));
    return { wallMs, cpuMs: (await this.#metrics.cpuMs()) - beforeMs };
  }

  /** As soon as the page has nothing to do but to wait for the answer. */
  async #idleCpuMs(): Promise<number> {
    let before = Number.NEGATIVE_INFINITY;
    let now = await this.#metrics.cpuMs();
    while (now - before > 3) {
      await this.#page.evaluate('new Promise((done) => setTimeout(done, 400))');
      before = now;
      now = await this.#metrics.cpuMs();
    }
    return now;
  }
}
