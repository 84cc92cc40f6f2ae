import type { Page } from 'playwright-core';
import type { RunningDemo } from '../../scripts/demo/open-demo.mjs';
import { launchBrowser, PageMetrics, visitDemo } from './bench-browser.ts';
import { watchScript } from './drawing-page.ts';

/** From the beginning of the navigation; the program reads and answers meanwhile. */
export interface FirstChart {
  paintMs: number;
  chartMs: number;
  /** CPU of the page's main thread until the chart. */
  cpuMs: number;
  scriptKb: number;
  scripts: number;
}

/** A dashboard in a browser that has loaded nothing yet, and again in the same one. */
export async function firstCharts(demo: RunningDemo, path: string): Promise<{ cold: FirstChart; warm: FirstChart }> {
  const browser = await launchBrowser();
  try {
    const context = await visitDemo(browser, demo);
    await context.addInitScript(watchScript);
    return {
      cold: await firstChart(await context.newPage(), path),
      warm: await firstChart(await context.newPage(), path),
    };
  } finally {
    await browser.close();
  }
}

async function firstChart(page: Page, path: string): Promise<FirstChart> {
  const metrics = await PageMetrics.of(page);
  const beforeMs = await metrics.cpuMs();
  await page.goto(path, { waitUntil: 'commit' });
  const chartMs = Number(await page.evaluate('firstChartMs()'));
  const cpuMs = (await metrics.cpuMs()) - beforeMs;
  const seen = JSON.parse(
    String(
      await page.evaluate(`JSON.stringify({
    paintMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
    bytes: performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js')).map(({ encodedBodySize }) => encodedBodySize),
  })`),
    ),
  ) as { paintMs: number; bytes: number[] };
  await page.close();
  const scriptKb = seen.bytes.reduce((sum, one) => sum + one, 0) / 1000;
  return { paintMs: seen.paintMs, chartMs, cpuMs, scriptKb, scripts: seen.bytes.length };
}
