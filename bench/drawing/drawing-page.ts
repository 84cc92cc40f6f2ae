import { join } from 'node:path';
import { type Browser, type BrowserContext, type CDPSession, chromium, type Page, type Route } from 'playwright-core';
import { findChromium } from '../../scripts/demo/find-chromium.mjs';
import type { RunningDemo } from '../../scripts/demo/open-demo.mjs';

/** From an answer in hand until all of it is painted. */
export interface Drawing {
  wallMs: number;
  /** CPU of the page's main thread: the answer's arrival, script, layout, painting of canvases. */
  cpuMs: number;
}

/** What `POST /charts/tiles` is answered instead of what the program says. */
export type TilesAnswer = (body: { startTime: number; endTime: number; tiles: { ref: string }[] }) => object;

const tilesAddress = '**/charts/tiles';

/** The built pages in a browser, which hold back the answer for a dashboard's tiles until everything else has been drawn. */
export class DrawingPage {
  readonly #browser: Browser;
  readonly #page: Page;
  readonly #debugger: CDPSession;

  private constructor(browser: Browser, page: Page, session: CDPSession) {
    this.#browser = browser;
    this.#page = page;
    this.#debugger = session;
  }

  /** Logged in. @throws {Error} where there is no browser */
  static async open({ web, email, password }: RunningDemo): Promise<DrawingPage> {
    const executablePath = findChromium();
    if (!executablePath) throw new Error('No browser: set CHROMIUM_PATH, or put chromium on the path.');
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    const context = await browser.newContext({ baseURL: web, viewport: { width: 1440, height: 900 } });
    context.setDefaultTimeout(120_000);
    await context.addInitScript({ path: join(import.meta.dirname, 'watch-drawing.js') });
    const page = await context.newPage();
    await page.goto('/login');
    await page.getByLabel('Email').fill(email);
    await page.locator('input[type=password]').fill(password);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    return new DrawingPage(browser, page, await measuring(context, page));
  }

  /** A dashboard that was not on the screen before. */
  first(path: string, answer?: TilesAnswer): Promise<Drawing> {
    return this.#measure(() => this.#page.goto(path), answer);
  }

  /** The dashboard on the screen with new points. */
  again(answer?: TilesAnswer): Promise<Drawing> {
    return this.#measure(() => this.#page.getByRole('button', { name: 'Refresh now' }).click(), answer);
  }

  close(): Promise<void> {
    return this.#browser.close();
  }

  async #measure(ask: () => Promise<unknown>, answer: TilesAnswer | undefined): Promise<Drawing> {
    const asked = new Promise<Route>((done) => void this.#page.route(tilesAddress, done, { times: 1 }));
    await ask();
    const route = await asked;
    const body = answer ? JSON.stringify(answer(route.request().postDataJSON())) : await (await route.fetch()).text();
    const beforeMs = await this.#idleCpuMs();
    await route.fulfill({ status: 200, contentType: 'application/json', body });
    const wallMs = Number(await this.#page.evaluate('drawn()'));
    return { wallMs, cpuMs: (await this.#cpuMs()) - beforeMs };
  }

  /** As soon as the page has nothing to do but to wait for the answer. */
  async #idleCpuMs(): Promise<number> {
    let before = Number.NEGATIVE_INFINITY;
    let now = await this.#cpuMs();
    while (now - before > 3) {
      await this.#page.evaluate('new Promise((done) => setTimeout(done, 400))');
      before = now;
      now = await this.#cpuMs();
    }
    return now;
  }

  async #cpuMs(): Promise<number> {
    const { metrics } = await this.#debugger.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
  }
}

async function measuring(context: BrowserContext, page: Page): Promise<CDPSession> {
  const session = await context.newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return session;
}
