import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AlertInput } from '../../../src/contract/alert.ts';
import type { AlertPreviewRecord } from '../../../src/contract/alert-preview.ts';
import type { Reading, TileWindowsReader } from '../../../src/evaluator/ports.ts';
import { LiveRulePreviewer } from '../../../src/evaluator/rule-previewer.ts';
import { otherServiceId, serviceId, TestApi } from '../../../src/http/testing.ts';
import { FakeClock } from '../../../src/kernel/fake-clock.ts';
import { AlertPreviewService } from '../../../src/resources/alerts/alert-preview-service.ts';
import { previewAlert } from '../../../src/resources/alerts/operations/preview-alert.ts';
import { alertOf, minuteMs, newYearMs, tileOf } from '../../support/alert-fixtures.ts';
import { count, countBy, delayMs, EvaluatorProcess, FakeTileReader } from '../../support/alert-world.ts';
import { FakeAlertStore } from '../../support/fake-alert-store.ts';
import { dashboardId, seedBody, unknownId } from './alert-api.ts';

type Answer = (windowStartMs: number) => Reading;

/** Reads windows from the same answers as a `FakeTileReader`; remembers how often. */
class FakeWindowsReader implements TileWindowsReader {
  readonly #answer: Answer;
  readonly #grouped: boolean;
  reads = 0;

  constructor(answer: Answer, grouped = false) {
    this.#answer = answer;
    this.#grouped = grouped;
  }

  async readWindows() {
    this.reads += 1;
    return { of: this.#answer, grouped: this.#grouped, truncated: false, rowsRead: 7, elapsedMs: 3, warnings: [] };
  }
}

const minute = { ...seedBody, interval: '1m', threshold: 5 } as const satisfies AlertInput;
const hour = { startTime: newYearMs - 60 * minuteMs, endTime: newYearMs };

const searchId = 'f00000000000000000000001';
const savedSearch = {
  id: searchId,
  name: 'Errors',
  sourceId: 'a00000000000000000000001',
  select: '',
  where: '',
  whereLanguage: 'lucene' as const,
  orderBy: '',
  tags: [],
  filters: [],
  createdAt: '',
  updatedAt: '',
};

/** The preview API of one tenant over values by minute; minute 0 is the first of `hour`. */
function apiOver(answer: (minute: number) => Reading, grouped = false) {
  const reader = new FakeWindowsReader((startMs) => answer((startMs - hour.startTime) / minuteMs), grouped);
  const tiles = [tileOf('line'), { id: 'empty', x: 0, y: 0, w: 8, h: 10 }];
  const dashboards = {
    find: async (tenantId: string, id: string) =>
      tenantId === serviceId && id === dashboardId
        ? { dashboard: { id, name: 'Shop', tags: [], tiles }, version: 1 }
        : undefined,
  };
  const previewer = new LiveRulePreviewer(reader);
  const savedSearches = {
    find: async (tenantId: string, id: string) => (tenantId === serviceId && id === searchId ? savedSearch : undefined),
  };
  const service = new AlertPreviewService({
    dashboards,
    savedSearches,
    previewer,
    clock: new FakeClock(),
    timeoutMs: 30_000,
  });
  const api = new TestApi('selfHosted', [previewAlert(service)]);
  const ask = (body: object) => api.send('POST', '/alerts/preview', { body });
  const preview = async (alert: AlertInput, compareTo?: AlertInput) =>
    api.unwrap(await ask({ alert, ...(compareTo && { compareTo }), ...hour })) as AlertPreviewRecord;
  return { ask, preview, reader };
}

const at = (minutes: number) => hour.startTime + minutes * minuteMs;

describe('POST /alerts/preview', () => {
  it('shows every window with value and state, and each firing from the window that started it', async () => {
    const { preview } = apiOver((n) => count(n >= 10 && n < 13 ? 7 : 1));
    const shown = await preview(minute);
    expect(shown.windows).toHaveLength(60);
    expect(shown.windows[10]).toEqual({ start: at(10), end: at(11), value: 7, state: 'ALERT' });
    expect(shown.windows[13]).toEqual({ start: at(13), end: at(14), value: 1, state: 'OK' });
    expect(shown.firings).toEqual([{ startedAt: at(11), endedAt: at(14), value: 7 }]);
    expect(shown.notifications).toBe(2);
    expect(shown.groups).toBeUndefined();
  });

  it('a group that still fires at the end has no end; groups that never fired are left out', async () => {
    const { preview } = apiOver((n) => countBy('ServiceName', { api: n >= 50 ? 9 : 0, web: 1 }), true);
    const shown = await preview(minute);
    const group = [{ key: 'ServiceName', value: 'api' }];
    expect(shown.groups).toEqual([{ group, firings: [{ start: at(51), end: null }] }]);
    expect(shown.firings).toEqual([{ startedAt: at(51), endedAt: null, value: 9, group }]);
    expect(shown.windows[50]).toMatchObject({ value: 9, state: 'ALERT' });
    expect(shown.notifications).toBe(1);
  });

  it('decisions A7: counts repeats, waits for consecutive windows, and notifies every channel', async () => {
    const { preview } = apiOver((n) => count(n < 30 ? 7 : 1));
    const waiting = await preview({ ...minute, numConsecutiveWindows: 3 });
    expect(waiting.windows.slice(0, 3).map(({ state }) => state)).toEqual(['PENDING', 'PENDING', 'ALERT']);
    expect((await preview({ ...minute, repeatInterval: '10m' })).notifications).toBe(1 + 2 + 1);
    const { channel: _channel, ...rest } = minute;
    const first = { type: 'webhook' as const, webhookId: 'e00000000000000000000001' };
    const channels = [first, { ...first, webhookId: unknownId }];
    expect((await preview({ ...rest, channels })).notifications).toBe(2 * 2);
    expect((await preview(rest)).notifications).toBe(2);
  });

  it('of a saved search, by its groups; an unknown one is rejected', async () => {
    const { dashboardId: _dashboard, tileId: _tile, source: _source, ...rule } = minute;
    const watching = { ...rule, savedSearchId: searchId, groupBy: 'ServiceName' };
    const { preview, ask } = apiOver((n) => countBy('ServiceName', { api: n === 5 ? 9 : 0 }), true);
    expect((await preview(watching)).firings).toMatchObject([{ value: 9, group: [{ value: 'api' }] }]);
    const answer = await ask({ alert: { ...watching, savedSearchId: unknownId }, ...hour });
    expect([answer.status, answer.body]).toEqual([400, expect.stringContaining('alert.savedSearchId: there is no')]);
  });

  it('U-28: a firing alert ends below its recovery threshold only', async () => {
    const { preview } = apiOver((n) => count([7, 4, 2][n] ?? 0));
    const shown = await preview({ ...minute, recoveryThreshold: 3 });
    expect(shown.windows.slice(0, 3).map(({ state }) => state)).toEqual(['ALERT', 'ALERT', 'OK']);
    expect(shown.firings).toEqual([{ startedAt: at(1), endedAt: at(3), value: 7 }]);
  });

  it('decisions A6: silence means what missingData says', async () => {
    const { preview } = apiOver((n) => count(n === 3 ? undefined : 7));
    const states = async (missingData: AlertInput['missingData']) =>
      (await preview({ ...minute, ...(missingData && { missingData }) })).windows.slice(2, 5).map(({ state }) => state);
    expect(await states(undefined)).toEqual(['ALERT', 'OK', 'ALERT']);
    expect(await states('noData')).toEqual(['ALERT', 'INSUFFICIENT_DATA', 'ALERT']);
    expect(await states('keep')).toEqual(['ALERT', 'ALERT', 'ALERT']);
  });

  it('compares two rules by one read, and says when only one of them fires', async () => {
    const { preview, reader } = apiOver((n) => count(n >= 10 && n < 20 ? (n < 15 ? 7 : 20) : 1));
    const shown = await preview(minute, { ...minute, threshold: 10 });
    expect(reader.reads).toBe(1);
    expect(shown.compare?.firings).toEqual([{ startedAt: at(16), endedAt: at(21), value: 20 }]);
    expect(shown.differences).toEqual([{ start: at(11), end: at(16), firing: 'alert' }]);
  });

  it('compares rules of different intervals', async () => {
    const { preview, reader } = apiOver((n) => count(n >= 30 ? 7 : 1));
    const shown = await preview(minute, { ...minute, interval: '5m' });
    expect(reader.reads).toBe(2);
    expect(shown.differences).toEqual([{ start: at(31), end: at(35), firing: 'alert' }]);
  });

  it('previews whole windows of the schedule only, and none that has not ended', async () => {
    const { ask } = apiOver(() => count(1));
    const alert = { ...minute, interval: '1h', scheduleOffsetMinutes: 15 };
    const body = { alert, startTime: newYearMs - 4 * 60 * minuteMs, endTime: newYearMs + 60 * minuteMs };
    const { data } = (await ask(body)).json as { data: AlertPreviewRecord };
    expect(data.windows.map(({ start }) => start - newYearMs)).toEqual(
      [-225, -165, -105].map((minutes) => minutes * minuteMs),
    );
  });

  it('no window begins before scheduleStartAt', async () => {
    const { preview } = apiOver(() => count(1));
    const shown = await preview({ ...minute, scheduleStartAt: new Date(at(57) + 30_000).toISOString() });
    expect(shown.windows.map(({ start }) => start)).toEqual([at(57) + 30_000, at(58) + 30_000]);
  });

  it.each([
    [
      { tileId: 'empty' },
      'alert.tileId: this tile can’t be watched; only tiles that show lines, stacked bars or a number can.',
    ],
    [{ tileId: 'none' }, 'alert.tileId: the dashboard has no tile with this id.'],
    [{ dashboardId: unknownId }, 'alert.dashboardId: there is no dashboard with this id.'],
    [{ interval: '8d' }, 'alert.interval: must be <n>m, <n>h or <n>d, at most 7d.'],
    [{ thresholdType: 'between' as const }, 'alert.thresholdMax: is required for thresholdType between.'],
  ])('rejects %j as creating the alert does', async (change, message) => {
    const { ask } = apiOver(() => count(1));
    expect(await ask({ alert: { ...minute, ...change }, ...hour })).toMatchObject({ status: 400, json: { message } });
  });

  it('rejects ranges without a window, in the future, and with too many', async () => {
    const { ask } = apiOver(() => count(1));
    const rejection = async (startTime: number, endTime: number) =>
      (await ask({ alert: minute, startTime, endTime })).json;
    expect(await rejection(newYearMs - 30_000, newYearMs)).toMatchObject({ message: /^startTime: no whole window/ });
    expect(await rejection(newYearMs, newYearMs + minuteMs)).toMatchObject({ message: /^endTime: must be later/ });
    const tooMany = await rejection(newYearMs - 43_201 * minuteMs, newYearMs);
    expect(tooMany).toMatchObject({ message: /holds 43201 windows .* at most 43200/ });
    expect((await ask({ alert: minute, startTime: newYearMs - 43_200 * minuteMs, endTime: newYearMs })).status).toBe(
      200,
    );
  });

  it('decisions F2: another tenant’s dashboard looks like a missing one', async () => {
    const { reader } = apiOver(() => count(1));
    const previewer = new LiveRulePreviewer(reader);
    const dashboards = { find: async () => undefined };
    const service = new AlertPreviewService({
      dashboards,
      savedSearches: dashboards,
      previewer,
      clock: new FakeClock(),
      timeoutMs: 1_000,
    });
    const asked = service.preview(otherServiceId, { alert: minute, ...hour }, new AbortController().signal);
    await expect(asked).rejects.toMatchObject({ code: 'request_invalid' });
    expect(reader.reads).toBe(0);
  });
});

const sequence = fc.array(fc.option(fc.record({ a: fc.nat(9), b: fc.option(fc.nat(9)) })), {
  minLength: 25,
  maxLength: 25,
});
const rule = fc.record(
  {
    threshold: fc.nat(9),
    thresholdType: fc.constantFrom('above', 'below', 'equal', 'not_equal', 'below_or_equal') as fc.Arbitrary<'above'>,
    missingData: fc.constantFrom('zero', 'noData', 'keep', 'ok', 'alert') as fc.Arbitrary<'zero'>,
    numConsecutiveWindows: fc.integer({ min: 1, max: 4 }),
    repeatInterval: fc.constantFrom('1m', '3m', '10m'),
  },
  { requiredKeys: ['threshold', 'thresholdType'] },
);

describe('a preview equals what the live evaluator wrote', () => {
  it.each([false, true])('for the same data, over random rules and values; grouped: %s', async (grouped) => {
    await fc.assert(
      fc.asyncProperty(sequence, rule, async (values, parts) => {
        const answer: Answer = (startMs) => {
          const row = values[(startMs - newYearMs) / minuteMs];
          if (!grouped) return count(row?.a);
          return countBy('host', { ...(row && { a: row.a }), ...(row?.b != null && { b: row.b }) });
        };
        const alert = alertOf(parts);
        const store = new FakeAlertStore();
        const reader = new FakeTileReader();
        reader.answer = ({ window }) => answer(window.startMs);
        const clock = new FakeClock();
        await store.transaction((inside) => inside.insert('tenant', alert, newYearMs + minuteMs));
        const live = new EvaluatorProcess({ leases: store, evaluations: store, names: store }, reader, clock);
        await clock.advance(0);
        await clock.advance(values.length * minuteMs + delayMs);
        await expect.poll(() => store.listHistory('tenant', alert.id, 100)).toHaveLength(values.length);
        await live.stop();
        const written = (await store.listHistory('tenant', alert.id, 100)).toReversed();
        const messages = (await store.log.listEvaluations('tenant', alert.id, { limit: 100, offset: 0 })).evaluations;
        const outcome = await new LiveRulePreviewer(new FakeWindowsReader(answer, grouped)).preview({
          tenantId: 'tenant',
          alerts: [alert],
          range: { startMs: newYearMs, endMs: newYearMs + values.length * minuteMs },
          windowsMax: 100,
          signal: new AbortController().signal,
        });
        if (outcome.kind !== 'previewed') throw new Error('nothing was previewed');
        const [previewed] = outcome.rules;
        expect(previewed?.windows.map(({ endMs, status }) => [endMs, status])).toEqual(
          written.map(({ windowEndMs, status }) => [windowEndMs, status]),
        );
        expect(previewed?.notifications).toBe(messages.flatMap(({ notifications }) => notifications).length);
      }),
      { numRuns: 40 },
    );
  });
});
