import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInBrowser, holdReachable, logIn, visit } from '../support/browser.ts';
import { holdLongTexts, longName } from '../support/long-texts.ts';
import { acme, ingestionKey, type RunningProgram, startProgram } from '../support/start-program.ts';

const [ada] = acme.teams[0]?.users ?? [];
const hourMs = 3_600_000;
/** More than a pie has slices, or a small tile has room for. */
const texts = ['sold', longName, `more of ${longName}`, ...Array.from({ length: 14 }, (_, index) => `text ${index}`)];

describeInBrowser('pages with long names', () => {
  let program: RunningProgram;
  let paths: Record<string, string>;

  beforeAll(async () => {
    program = await startProgram();
    await sendLongLogs();
    paths = await makeLongNames();
  });

  afterAll(() => program?.stop());

  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const { status, json } = await program.call(method, `/api/v2${path}`, body);
    expect(status, `${method} ${path}: ${JSON.stringify(json)}`).toBe(200);
    return (json as { data: T }).data;
  }

  /** For the charts to show: of two services, one with a name as long as its messages. */
  async function sendLongLogs(): Promise<void> {
    const resourceLogs = ['shop', longName].map((name) => ({
      resource: { attributes: [{ key: 'service.name', value: { stringValue: name } }] },
      scopeLogs: [
        {
          logRecords: texts.map((text) => ({
            timeUnixNano: `${Date.now()}000000`,
            body: { stringValue: text },
          })),
        },
      ],
    }));
    const { status } = await fetch(`${program.addresses.otlpHttp}/v1/logs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: ingestionKey },
      body: JSON.stringify({ resourceLogs }),
    });
    expect(status).toBe(200);
  }

  /** Something of every kind, and the pages that show it. */
  async function makeLongNames(): Promise<Record<string, string>> {
    const sources = await call<{ id: string; kind: string }[]>('GET', '/sources');
    const { id: sourceId, ...source } = sources.find(({ kind }) => kind === 'log') ?? { id: '' };
    const name = longName;
    const { id: webhookId } = await call<{ id: string }>('POST', '/webhooks', {
      ...{ name, service: 'generic', url: `https://example.com/${longName}`, description: longName },
    });
    const select = [{ aggFn: 'count', alias: longName }];
    const tile = (displayType: string, x: number, y: number, more: object = {}) => ({
      // Landmarks, of which no two have the same name.
      ...{ name: `${displayType}_${longName}`.slice(0, longName.length), x, y, w: 12, h: 5 },
      config: { displayType, sourceId, select, ...more },
    });
    const board = await call<{ id: string; tiles: { id: string }[] }>('POST', '/dashboards', {
      ...{ name, tags: ['tag_without_a_place_to_break_tag'] },
      tiles: [
        tile('line', 0, 0),
        tile('number', 12, 0),
        tile('table', 0, 5, { groupBy: 'ServiceName' }),
        { ...tile('markdown', 12, 5), config: { displayType: 'markdown', markdown: `# ${longName}\n\n${longName}` } },
        tile('pie', 0, 10, { groupBy: 'Body' }),
      ],
      filters: [{ type: 'QUERY_EXPRESSION', name, expression: 'ServiceName', sourceId }],
    });
    const alert = await call<{ id: string }>('POST', '/alerts', {
      ...{ name, message: longName, note: longName, dashboardId: board.id, tileId: board.tiles[0]?.id, interval: '1h' },
      ...{ source: 'tile', threshold: 1, thresholdType: 'above', channel: { type: 'webhook', webhookId } },
    });
    const times = { startsAt: new Date().toISOString(), endsAt: new Date(Date.now() + hourMs).toISOString() };
    await call('POST', '/silences', { name, comment: longName, match: { alertIds: [alert.id] }, ...times });
    const made = await call<{ id: string }>('POST', '/sources', { ...source, name });
    const search = await call<{ id: string }>('POST', '/saved-searches', { name, sourceId, where: longName });
    await call('POST', '/keys', { name });
    await call('POST', '/ingestion-keys', { name });
    return {
      dashboards: '/dashboards',
      dashboard: `/dashboards/${board.id}`,
      tile: `/dashboards/${board.id}?viewedTileId=${board.tiles[0]?.id}`,
      alerts: '/alerts',
      alert: `/alerts/${alert.id}`,
      'the alert’s editor': `/alerts/${alert.id}/edit`,
      silences: '/silences',
      webhooks: '/webhooks',
      sources: '/sources',
      source: `/sources/${made.id}`,
      search: `/search/${search.id}`,
      settings: '/settings',
    };
  }

  it('keep what they show within its box, wide and on a telephone', async () => {
    const { page } = await visit(program.addresses.web);
    await logIn(page, { email: ada?.email ?? '', password: ada?.password ?? '' });
    for (const [name, path] of Object.entries(paths)) {
      await page.goto(path);
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: 900 });
        await page.getByRole('heading', { level: 1 }).first().waitFor();
        await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
        await holdLongTexts(page, `${name} at ${width} px`);
      }
    }
  });

  it('a chart with more groups than room begins at its first, and a pie sums up the smallest', async () => {
    const [log] = (await call<{ id: string; kind: string }[]>('GET', '/sources')).filter(({ kind }) => kind === 'log');
    const board = await call<{ id: string }>('POST', '/dashboards', {
      name: 'Groups',
      tiles: ['pie', 'bar', 'table', 'line', 'search'].map((displayType, at) => ({
        ...{ name: displayType, x: (at % 3) * 8, y: Math.floor(at / 3) * 4, w: 8, h: 4 },
        config: { displayType, sourceId: log?.id, select: [{ aggFn: 'count' }], groupBy: 'Body' },
        ...(displayType === 'search' && { config: { displayType, sourceId: log?.id, select: 'Timestamp, Body' } }),
      })),
    });
    const { page } = await visit(program.addresses.web);
    await logIn(page, { email: ada?.email ?? '', password: ada?.password ?? '' });
    await page.goto(`/dashboards/${board.id}`);
    const itemsOf = (name: string) => page.getByRole('region', { name, exact: true }).first().getByRole('listitem');
    await itemsOf('pie').filter({ hasText: 'Other (6 groups)' }).waitFor();
    await expect.poll(() => itemsOf('pie').count()).toBe(12);
    await expect.poll(() => itemsOf('bar').count()).toBe(texts.length);
    await holdReachable(page, 'tiles with many groups');
  });
});
