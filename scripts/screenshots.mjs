// `npm run screenshots`: pictures of the main pages with the demo's data, into docs/screenshots.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { findChromium } from './demo/find-chromium.mjs';
import { openDemo } from './demo/open-demo.mjs';
import { root } from './ensure-ready.mjs';

const folder = join(root, 'docs/screenshots');
const looks = [
  { scheme: 'light', width: 1440, height: 900 },
  { scheme: 'dark', width: 1440, height: 900 },
  { scheme: 'light', width: 390, height: 844 },
  { scheme: 'dark', width: 390, height: 844 },
];

const executablePath = findChromium();
if (!executablePath) {
  console.error('No browser: set CHROMIUM_PATH, or put chromium or google-chrome on the path.');
  process.exit(2);
}
mkdirSync(folder, { recursive: true });
const demo = await openDemo({ SIGNALBOX_DEMO_DAYS: '7' });
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
try {
  const pages = await mainPages(demo);
  for (const look of looks) await picturesOf(pages, look);
} finally {
  await browser.close();
  await demo.interrupt();
}

async function picturesOf(pages, { scheme, width, height }) {
  const context = await browser.newContext({
    baseURL: demo.web,
    colorScheme: scheme,
    reducedMotion: 'reduce',
    viewport: { width, height },
  });
  const page = await context.newPage();
  await logIn(page);
  for (const [name, path] of Object.entries(pages)) {
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    await page.screenshot({ path: join(folder, `${name}-${scheme}-${width}.png`), animations: 'disabled' });
  }
  await context.close();
}

async function logIn(page) {
  await page.goto('/login');
  await page.getByLabel('Email').fill(demo.email);
  await page.locator('input[type=password]').fill(demo.password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.waitForURL('**/dashboards');
}

/** Name of the picture and address of the page. */
async function mainPages({ api, key }) {
  const get = async (path, body) => {
    const answer = await fetch(`${api}/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return (await answer.json()).data;
  };
  const [dashboard] = await get('dashboards');
  const sources = await get('sources');
  const sourceOf = (kind) => sources.find((source) => source.kind === kind).id;
  const alert = await firing(get);
  const where = 'ServiceName:"payment" StatusCode:Error';
  const [span] = await get('search', { sourceId: sourceOf('trace'), where, select: 'TraceId' });
  return {
    dashboards: '/dashboards',
    dashboard: `/dashboards/${dashboard.id}`,
    search: `/search?source=${sourceOf('log')}&from=now-1h&to=now`,
    trace: `/traces/${span.TraceId}`,
    alerts: '/alerts',
    alert: `/alerts/${alert.id}`,
    settings: '/settings',
    sources: '/sources',
  };
}

async function firing(get) {
  const untilMs = Date.now() + 60_000;
  while (Date.now() < untilMs) {
    const [alert] = await get('alerts');
    if (alert?.state === 'ALERT') return alert;
    await new Promise((done) => setTimeout(done, 500));
  }
  throw new Error('The alert of the demo did not fire within a minute.');
}
