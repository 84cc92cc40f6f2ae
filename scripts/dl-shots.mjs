import { chromium } from 'playwright-core';
import { findChromium } from './demo/find-chromium.mjs';
import { openDemo } from './demo/open-demo.mjs';
import { ensureBuilt } from './ensure-ready.mjs';
import { pathToFileURL } from 'node:url';
ensureBuilt();
const { steps } = await import(pathToFileURL(process.argv[2]));
const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] });
const program = await openDemo({ SIGNALBOX_DEMO_DAYS: '1' });
try {
  for (const [scheme, width, height] of [['light',1440,900],['dark',1440,900],['light',390,844]]) {
    const context = await browser.newContext({ baseURL: program.web, colorScheme: scheme, reducedMotion: 'reduce', viewport: { width, height } });
    context.setDefaultTimeout(40000);
    const page = await context.newPage();
    await page.goto('/login');
    await page.getByLabel('Email').fill(program.email);
    await page.locator('input[type=password]').fill(program.password);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.waitForURL((url) => !url.pathname.endsWith('/login'));
    const shot = async (name) => { await page.waitForTimeout(1500); await page.screenshot({ path: `/tmp/dl/${name}-${scheme}-${width}.png`, animations: 'disabled' }); };
    try { await steps({ page, shot, width, program }); } catch (e) { console.error(scheme, width, e.message.slice(0, 800)); await shot('failed'); }
    await context.close();
  }
} finally { await browser.close(); await program.interrupt(); }
