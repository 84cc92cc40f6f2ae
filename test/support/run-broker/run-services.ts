import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { findChromium } from '../../../scripts/demo/find-chromium.mjs';
import { openDemo } from '../../../scripts/demo/open-demo.mjs';
import { startPostgresServer } from '../postgres-server.ts';
import type { Service } from './run-broker.ts';

/** What files of a run share, of the program built in this folder. */
export function runServices(programFolder: string): Record<string, () => Promise<Service>> {
  return {
    postgres: async () => {
      const { url, stop } = await startPostgresServer();
      return { facts: { url }, stop };
    },
    demo: () => startSharedDemo(programFolder),
    browser: startBrowser,
  };
}

async function startSharedDemo(programFolder: string): Promise<Service> {
  const startMs = Date.now();
  const demo = await openDemo({ SIGNALBOX_DEMO_PROGRAM: join(programFolder, 'main.js') });
  const { web, api, key, email, password, otlp, ingestionKey } = demo;
  // The past that a demo begins with ends when it is started.
  const settledUntilMs = Math.floor(startMs / 60_000) * 60_000;
  return {
    facts: { web, api, key, email, password, otlp, ingestionKey, settledUntilMs },
    stop: async () => void (await demo.interrupt()),
  };
}

async function startBrowser(): Promise<Service> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error('there is no browser');
  const server = await chromium.launchServer({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu'],
    host: '127.0.0.1',
  });
  return { facts: { url: server.wsEndpoint() }, stop: () => server.close() };
}
