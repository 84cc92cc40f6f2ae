// `npm run screenshots [-- <name of a picture>…]`: pictures of the main pages, into docs/screenshots.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { findChromium } from './demo/find-chromium.mjs';
import { openDemo } from './demo/open-demo.mjs';
import { ensureBuilt, root } from './ensure-ready.mjs';
import { consolePages, openConsole } from './screenshots/console.mjs';
import { shopPages } from './screenshots/shop.mjs';

const folder = join(root, 'docs/screenshots');
const looks = [
  { scheme: 'light', width: 1440, height: 900 },
  { scheme: 'dark', width: 1440, height: 900 },
  { scheme: 'light', width: 390, height: 844 },
  { scheme: 'dark', width: 390, height: 844 },
];
const wanted = process.argv.slice(2);

const executablePath = findChromium();
if (!executablePath) {
  console.error('No browser: set CHROMIUM_PATH, or put chromium or google-chrome on the path.');
  process.exit(2);
}
ensureBuilt();
mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
try {
  await takePictures(() => openDemo({ SIGNALBOX_DEMO_DAYS: '7' }), shopPages);
  await takePictures(() => openConsole(), consolePages);
} finally {
  await browser.close();
}

/** `pagesOf(program)` answers name of the picture → address, or address and what is done there before the picture. */
async function takePictures(open, pagesOf) {
  const program = await open();
  try {
    const pages = Object.entries(await pagesOf(program)).filter(
      ([name]) => wanted.length === 0 || wanted.includes(name),
    );
    for (const look of looks) await picturesOf(program, pages, look);
  } finally {
    await program.interrupt();
  }
}

async function picturesOf(program, pages, { scheme, width, height }) {
  const context = await browser.newContext({
    baseURL: program.web,
    colorScheme: scheme,
    reducedMotion: 'reduce',
    viewport: { width, height },
  });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  await logIn(page, program);
  for (const [name, { path, prepare }] of pages) {
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    if (prepare) {
      await prepare(page);
      await page.waitForLoadState('networkidle');
    }
    await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
    await page.screenshot({ path: join(folder, `${name}-${scheme}-${width}.png`), animations: 'disabled' });
  }
  await context.close();
}

async function logIn(page, { email, password }) {
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.locator('input[type=password]').fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.waitForURL((url) => !url.pathname.endsWith('/login'));
}
