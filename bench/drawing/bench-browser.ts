import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from 'playwright-core';
import { findChromium } from '../../scripts/demo/find-chromium.mjs';
import type { RunningDemo } from '../../scripts/demo/open-demo.mjs';

/** A browser process with an empty profile. @throws {Error} where there is no browser */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error('No browser: set CHROMIUM_PATH, or put chromium on the path.');
  return chromium.launch({ executablePath, args: ['--no-sandbox'] });
}

/** A person who is logged in and has loaded nothing yet. */
export async function visitDemo(browser: Browser, { web, email, password }: RunningDemo): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: web, viewport: { width: 1440, height: 900 } });
  context.setDefaultTimeout(120_000);
  const answer = await context.request.post('/api/v2/session', {
    data: { email, password },
    headers: { 'sec-fetch-site': 'same-origin' },
  });
  if (!answer.ok()) throw new Error(`log-in: ${answer.status()} ${await answer.text()}`);
  return context;
}

/** Counters of the page's process; CPU is that of its main thread. */
export class PageMetrics {
  readonly #session: CDPSession;

  private constructor(session: CDPSession) {
    this.#session = session;
  }

  static async of(page: Page): Promise<PageMetrics> {
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    return new PageMetrics(session);
  }

  async cpuMs(): Promise<number> {
    return (await this.#read('TaskDuration')).TaskDuration * 1000;
  }

  /** What is left when all that nothing refers to has been freed. */
  async live(): Promise<{ heapMb: number; nodes: number; listeners: number }> {
    // Twice: what a finaliser lets go is freed by the next one.
    for (const _ of [1, 2]) await this.#session.send('HeapProfiler.collectGarbage');
    const { JSHeapUsedSize, Nodes, JSEventListeners } = await this.#read('JSHeapUsedSize', 'Nodes', 'JSEventListeners');
    return { heapMb: JSHeapUsedSize / 1e6, nodes: Nodes, listeners: JSEventListeners };
  }

  async #read<Name extends string>(...names: Name[]): Promise<Record<Name, number>> {
    const { metrics } = await this.#session.send('Performance.getMetrics');
    const values = names.map((name) => [name, metrics.find((metric) => metric.name === name)?.value ?? Number.NaN]);
    // The names are those of the parameter.
    return Object.fromEntries(values) as Record<Name, number>;
  }
}
