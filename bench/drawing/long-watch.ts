import type { RunningDemo } from '../../scripts/demo/open-demo.mjs';
import { launchBrowser, PageMetrics, visitDemo } from './bench-browser.ts';
import { type TilesAnswer, tilesAddress } from './drawing-page.ts';

const refreshMs = 10_000;

export interface Watch {
  path: string;
  minutes: number;
  /** Of the time, after which it is counted what is kept. */
  shares: readonly number[];
  /** Always of the same shape, so that whatever there is more of is kept for nothing. */
  answer: TilesAnswer;
}

/** What a page keeps in memory. */
export type Kept = Awaited<ReturnType<PageMetrics['live']>>;

/**
 * A dashboard that refreshes every ten seconds, the shortest interval there is, for so many minutes: the page's clock
 * jumps from one refresh to the next as soon as the answer is there. Answers what is kept after each of the shares.
 */
export async function keptOver(demo: RunningDemo, watch: Watch): Promise<Kept[]> {
  const browser = await launchBrowser();
  try {
    const page = await (await visitDemo(browser, demo)).newPage();
    await page.route(tilesAddress, (route) => route.fulfill({ json: watch.answer(route.request().postDataJSON()) }));
    await page.clock.install({ time: Date.now() - watch.minutes * 60_000 });
    await page.goto(`${watch.path}?refresh=10s`);
    await page.locator('[data-tile] canvas').first().waitFor();
    const metrics = await PageMetrics.of(page);
    const refreshes = (watch.minutes * 60_000) / refreshMs;
    const kept: Kept[] = [];
    let done = 0;
    for (const share of watch.shares) {
      for (; done < refreshes * share; done++) {
        const answered = page.waitForResponse(tilesAddress);
        await page.clock.fastForward(refreshMs);
        await (await answered).finished();
        await page.locator('button[aria-label="Refresh now"][aria-busy=false]').waitFor();
      }
      kept.push(await metrics.live());
    }
    return kept;
  } finally {
    await browser.close();
  }
}
