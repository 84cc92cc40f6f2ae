import { createRequire } from 'node:module';
import {
  type Browser,
  type BrowserContext,
  type ConsoleMessage,
  chromium,
  type Locator,
  type Page,
  type Request,
  type WebError,
} from 'playwright-core';
import { afterAll, describe, expect, onTestFinished } from 'vitest';
import { chromiumNames, findChromium } from '../../scripts/demo/find-chromium.mjs';
import { askBroker } from './run-broker/ask-broker.ts';

const executablePath = findChromium();
/** How long a step may wait for what it needs, on a machine that has much else to do. */
const waitMs = 120_000;
let connected: Promise<Browser> | undefined;

/** A suite that needs a browser; without one it is skipped and says why. */
export function describeInBrowser(name: string, suite: () => void): void {
  if (!executablePath) {
    // biome-ignore lint/suspicious/noConsole: the reason belongs into the run's output
    console.warn(`Skipped "${name}": no browser. Set CHROMIUM_PATH, or put ${chromiumNames.join(' or ')} on the path.`);
  }
  describe.skipIf(!executablePath)(name, () => {
    afterAll(async () => {
      await (await connected)?.close();
      connected = undefined;
      idle.clear();
    });
    suite();
  });
}

/** The browser of the run, in which each file and each visitor has a separate context. */
function browser(): Promise<Browser> {
  connected ??= askBroker<{ url: string }>('browser').then(({ url }) => chromium.connect(url));
  return connected;
}

export interface VisitOptions {
  /** Messages of the console that a journey provokes on purpose, as part of their text. */
  console?: readonly string[];
  /** Registers the end of the visit: `afterAll` for a visitor of several tests; the end of this test when absent. */
  until?: (end: () => Promise<void>) => void;
}

/** Contexts without a visitor, by origin: what they have loaded and compiled need not be loaded and compiled again. */
const idle = new Map<string, BrowserContext[]>();

async function takeContext(origin: string): Promise<BrowserContext> {
  const known = idle.get(origin)?.pop();
  if (known) return known;
  const context = await (await browser()).newContext({
    baseURL: origin,
    viewport: { width: 1440, height: 900 },
    // Tests wait for what is there at last; what moves until then only costs.
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  context.setDefaultTimeout(waitMs);
  return context;
}

/** The next visitor is a stranger: everything that a site can store is removed, except for the HTTP cache. */
async function giveBack(context: BrowserContext, origin: string): Promise<void> {
  const last = await context.newPage();
  const session = await context.newCDPSession(last);
  const storageTypes = 'cookies,local_storage,indexeddb,cache_storage,service_workers';
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes });
  await Promise.all(context.pages().map((page) => page.close()));
  await context.unrouteAll();
  await context.clearCookies();
  idle.set(origin, [...(idle.get(origin) ?? []), context]);
}

/** A person with separate cookies and storage, who may open several tabs. */
export interface Visitor {
  page: Page;
  context: BrowserContext;
  newTab(): Promise<Page>;
}

/**
 * Opens a browser on one origin. At the end of the visit anything that the pages should not do fails it: an error in the
 * console (violations of the content security policy are such), an exception, a request to another host.
 */
export async function visit(origin: string, options: VisitOptions = {}): Promise<Visitor> {
  const context = await takeContext(origin);
  const problems: string[] = [];
  const unwatch = watch(context, { origin, problems, expected: options.console ?? [] });
  const { until = onTestFinished } = options;
  until(async () => {
    unwatch();
    await giveBack(context, origin);
    expect(problems, 'what the pages should not have done').toEqual([]);
  });
  const newTab = () => context.newPage();
  return { context, newTab, page: await newTab() };
}

interface Watching {
  origin: string;
  problems: string[];
  expected: readonly string[];
}

/** Answers how to stop watching. */
function watch(context: BrowserContext, { origin, problems, expected }: Watching): () => void {
  const onConsole = (message: ConsoleMessage) => {
    const text = `${message.text()} (${message.location().url})`;
    if (message.type() !== 'error' && !text.includes('Content Security Policy')) return;
    if (expected.some((part) => text.includes(part))) return;
    problems.push(`console: ${text}`);
  };
  const onError = (error: WebError) => problems.push(`exception: ${error.error().stack ?? error.error().message}`);
  const onRequest = (request: Request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith('http') && url.origin !== origin) problems.push(`request: ${url}`);
  };
  context.on('console', onConsole).on('weberror', onError).on('request', onRequest);
  return () => context.off('console', onConsole).off('weberror', onError).off('request', onRequest);
}

/** The rows of the list of events, without its headings. */
export function eventRows(page: Page): Locator {
  return page.getByRole('grid', { name: 'Events' }).locator('tbody').getByRole('row');
}

/** Its label also bears the mark of what is required. */
export function passwordField(page: Page): Locator {
  return page.locator('input[type=password]');
}

interface Person {
  email: string;
  password: string;
}

/** Lets the browser of this page in, without the page that asks for the password: loading it costs more than a test needs. */
export async function logIn(page: Page, { email, password }: Person): Promise<void> {
  const headers = { 'sec-fetch-site': 'same-origin' };
  const data = { email, password };
  for (const path of ['/api/v2/session', '/v1/session']) {
    const answer = await page.context().request.post(path, { data, headers });
    if (answer.ok()) return;
    if (answer.status() !== 404) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`);
  }
  throw new Error('neither flavour has a log-in');
}

/** As a person does. */
export async function logInByPage(page: Page, { email, password }: Person): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await passwordField(page).fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
}

/** Where it is, once it is there: what is drawn again is away for a moment. */
export async function boxOf(locator: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  for (;;) {
    await locator.waitFor();
    const box = await locator.boundingBox();
    if (box) return box;
  }
}

/** The page, once it has taken the width of its window, needs no sideways scrolling. */
export async function holdWidth(page: Page, where: string): Promise<void> {
  const beyondPx = () => page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  await expect.poll(beyondPx, { message: `${where}: width beyond the window` }).toBeLessThanOrEqual(0);
}

/**
 * Places of the page that no scrolling leads to: above or left of where the content of a box that scrolls begins. What
 * people choose to hide (`aria-hidden` or clipped to nothing) does not count.
 */
export async function holdReachable(page: Page, where: string): Promise<void> {
  const beyond = await page.evaluate<string[]>(`(() => {
    const scrolls = (box) => /auto|scroll/.test(getComputedStyle(box).overflow)
      && (box.scrollHeight > box.clientHeight || box.scrollWidth > box.clientWidth);
    return [...document.querySelectorAll('body *')].filter(scrolls).flatMap((box) => {
      const frame = box.getBoundingClientRect();
      const [top, left] = [frame.top + box.clientTop - box.scrollTop, frame.left + box.clientLeft - box.scrollLeft];
      return [...box.querySelectorAll('*')].flatMap((inner) => {
        const { top: y, left: x, width, height } = inner.getBoundingClientRect();
        if (width <= 1 || height <= 1 || inner.closest('[aria-hidden=true]')) return [];
        return y < top - 1 || x < left - 1 ? [box.className + ': ' + inner.outerHTML.slice(0, 120)] : [];
      });
    });
  })()`);
  expect.soft(beyond, `${where}: can't be scrolled to`).toEqual([]);
}

const axeFile = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

interface AxeResults {
  violations: { id: string; impact: string | null; nodes: { html: string; failureSummary?: string }[] }[];
}

/** Landmarks are named, each name once, and there is one main part: screen readers list them. */
const landmarkRules = ['landmark-unique', 'landmark-one-main', 'landmark-no-duplicate-main'];

/** Serious and critical violations of WCAG 2.1 A and AA on what the page shows, and any among its landmarks. */
export async function accessibilityViolations(page: Page): Promise<string[]> {
  // Through the debugger: a script element would break the content security policy.
  await page.evaluate(`${await readAxe()}; void 0`);
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'];
  // What scrolls an editor holds the editor, which takes the focus: axe looks for another element.
  // Of the rules that axe calls experimental: a row's composed label (“web POST /, 2 s, failed”) is no problem.
  const options = {
    runOnly: { type: 'tag', values: tags },
    rules: {
      'label-content-name-mismatch': { enabled: false },
      ...Object.fromEntries(landmarkRules.map((rule) => [rule, { enabled: true }])),
    },
  };
  const results = (await page.evaluate(
    `axe.run({ exclude: ['.cm-scroller'] }, ${JSON.stringify(options)})`,
  )) as AxeResults;
  return results.violations
    .filter(({ id, impact }) => impact === 'serious' || impact === 'critical' || landmarkRules.includes(id))
    .flatMap(({ id, nodes }) => {
      // axe takes the head of a dialog for a second banner.
      const found = id === 'landmark-unique' ? nodes.filter(({ html }) => !html.startsWith('<header')) : nodes;
      return found.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 300)} ${failureSummary}`);
    });
}

let axe: Promise<string> | undefined;

function readAxe(): Promise<string> {
  axe ??= import('node:fs/promises').then(({ readFile }) => readFile(axeFile, 'utf8'));
  return axe;
}
