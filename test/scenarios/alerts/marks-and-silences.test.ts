import { describe, expect, it } from 'vitest';
import type { SilenceRecord } from '../../../src/contract/silence.ts';
import type { FlavourName } from '../../../src/http/operation.ts';
import { serviceId, TestApi } from '../../../src/http/testing.ts';
import { FakeClock } from '../../../src/kernel/fake-clock.ts';
import { randomIds } from '../../../src/kernel/ids.ts';
import { AlertMarkService } from '../../../src/resources/alerts/alert-mark-service.ts';
import { AlertService } from '../../../src/resources/alerts/alert-service.ts';
import { alertMarkOperations } from '../../../src/resources/alerts/operations/alert-mark-operations.ts';
import { FakeSilenceRepository } from '../../../src/resources/silences/fake-silence-repository.ts';
import { silenceOperations } from '../../../src/resources/silences/operations/silence-operations.ts';
import { SilenceService } from '../../../src/resources/silences/silence-service.ts';
import { evaluationOf, tileOf } from '../../support/alert-fixtures.ts';
import { FakeAlertStore } from '../../support/fake-alert-store.ts';
import { AlertApi, dashboardId, seedBody, unknownId, webhookId } from './alert-api.ts';

/** Marks of alerts and silences of one flavour, over stores in memory with one alert. */
class MutingApi extends TestApi {
  readonly store: FakeAlertStore;
  readonly alerts: AlertService;
  alertId = '';

  private constructor(name: FlavourName, store: FakeAlertStore) {
    const clock = new FakeClock();
    const alerts = new AlertService({ alerts: store, ids: randomIds, clock });
    const marks = new AlertMarkService({ alerts, repository: store, clock });
    const silences = new SilenceService({
      silences: new FakeSilenceRepository(),
      alerts: store,
      ids: randomIds,
      clock,
    });
    super(name, [...alertMarkOperations(marks), ...silenceOperations(silences)]);
    this.store = store;
    this.alerts = alerts;
  }

  static async start(name: FlavourName): Promise<MutingApi> {
    const store = new FakeAlertStore();
    store.addDashboard(serviceId, { id: dashboardId, name: 'Shop', tiles: [tileOf('line')] });
    store.addWebhook(serviceId, webhookId);
    const api = new MutingApi(name, store);
    api.alertId = (await api.alerts.create(serviceId, seedBody)).alert.id;
    return api;
  }

  /** The alert as it is after a window that broke its rule. */
  async fire(): Promise<void> {
    const nowMs = this.clock.nowMs() + 24 * 3_600_000;
    const due = { owner: 'e', nowMs, dueBeforeMs: nowMs, leaseUntilMs: nowMs, max: 10 };
    const [leased] = await this.store.claimDue(due);
    if (!leased) throw new Error('the alert was not due');
    const firing = { group: [], status: 'ALERT' as const, breaches: 1, firingSinceMs: 0, notifiedMs: 0 };
    await this.store.commit(evaluationOf(leased, { state: { status: 'ALERT', groups: [firing] } }));
  }

  async silences(): Promise<SilenceRecord[]> {
    return this.unwrap(await this.send('GET', '/silences')) as SilenceRecord[];
  }
}

describe.each(['selfHosted', 'managed'] as const)('%s: POST /alerts/{id}/silenced', (flavour) => {
  it.each([
    ['no date', { until: 'tomorrow' }, 'until: must be an ISO 8601 date-time with Z or an offset.'],
    ['a date without a zone', { until: '2099-01-01T00:00:00' }, 'until: must be an ISO 8601'],
    ['a day alone', { until: '2099-01-01' }, 'until: must be an ISO 8601'],
    ['a day that there is not', { until: '2099-02-30T00:00:00Z' }, 'until: must be an ISO 8601'],
    ['the past', { until: '2025-12-31T23:59:59Z' }, 'until: must be in the future.'],
    ['this very moment', { until: '2026-01-01T01:00:00+01:00' }, 'until: must be in the future.'],
    ['a number', { until: 4_070_908_800_000 }, 'until'],
    ['null', { until: null }, 'until'],
    ['nothing', {}, 'until'],
    ['a long text', { until: '9'.repeat(41) }, 'until'],
    ['a comment that is none', { until: '2099-01-01T00:00:00Z', comment: 7 }, 'comment'],
    ['an endless comment', { until: '2099-01-01T00:00:00Z', comment: 'x'.repeat(2_000) }, 'comment'],
  ])('400 with %s; nothing is written', async (_title, body, text) => {
    const api = await MutingApi.start(flavour);
    const before = await api.alerts.get(serviceId, api.alertId);
    const answer = await api.send('POST', `/alerts/${api.alertId}/silenced`, { body });
    expect([answer.status, api.errorText(answer)]).toEqual([400, expect.stringContaining(text)]);
    expect(await api.alerts.get(serviceId, api.alertId)).toEqual(before);
  });

  it('decisions F2: 404 for an unknown, malformed or foreign id', async () => {
    const api = await MutingApi.start(flavour);
    const body = { until: '2099-01-01T00:00:00Z' };
    for (const id of [unknownId, 'x']) {
      const answer = await api.send('POST', `/alerts/${id}/silenced`, { body });
      expect([answer.status, api.errorText(answer)]).toEqual([404, expect.stringContaining('Alert not found')]);
    }
  });
});

describe.each(['selfHosted', 'managed'] as const)('%s: POST /alerts/{id}/acknowledged', (flavour) => {
  it('409 while nothing fires; nothing is written', async () => {
    const api = await MutingApi.start(flavour);
    const before = await api.alerts.get(serviceId, api.alertId);
    const answer = await api.send('POST', `/alerts/${api.alertId}/acknowledged`, { body: { comment: 'on it' } });
    expect([answer.status, api.errorText(answer)]).toEqual([409, expect.stringContaining('The alert is not firing.')]);
    expect(await api.alerts.get(serviceId, api.alertId)).toEqual(before);
    await api.fire();
    const taken = await api.send('POST', `/alerts/${api.alertId}/acknowledged`, { body: { comment: 'on it' } });
    expect(api.unwrap(taken)).toMatchObject({ state: 'ALERT', acknowledged: { comment: 'on it' } });
  });

  it.each([7, null, 'x'.repeat(2_000)])('400 with comment %j; nothing is written', async (comment) => {
    const api = await MutingApi.start(flavour);
    await api.fire();
    const answer = await api.send('POST', `/alerts/${api.alertId}/acknowledged`, { body: { comment } });
    expect([answer.status, api.errorText(answer)]).toEqual([400, expect.stringContaining('comment')]);
    expect(await api.alerts.get(serviceId, api.alertId)).not.toHaveProperty('acknowledged');
  });
});

describe('/silences', () => {
  const recurrence = { days: ['mon'], from: '22:00', to: '06:00', timezone: 'Europe/Berlin' };
  const good = { name: 'night', match: {}, endsAt: '2026-01-02T00:00:00Z' };
  const weekly = { name: 'night', match: {}, recurrence };

  const problems: [string, (alertId: string) => object, string][] = [
    [
      'an unknown time zone',
      () => ({ ...weekly, recurrence: { ...recurrence, timezone: 'Mars/Olympus' } }),
      'recurrence.timezone: must be',
    ],
    ['an empty time zone', () => ({ ...weekly, recurrence: { ...recurrence, timezone: '' } }), 'recurrence.timezone'],
    ['no time zone', () => ({ ...weekly, recurrence: { ...recurrence, timezone: undefined } }), 'recurrence.timezone'],
    [
      'an hour that there is not',
      () => ({ ...weekly, recurrence: { ...recurrence, from: '24:00' } }),
      'recurrence.from',
    ],
    ['a time in words', () => ({ ...weekly, recurrence: { ...recurrence, to: 'six' } }), 'recurrence.to'],
    ['no day', () => ({ ...weekly, recurrence: { ...recurrence, days: [] } }), 'recurrence.days'],
    [
      'a day that there is not',
      () => ({ ...weekly, recurrence: { ...recurrence, days: ['monday'] } }),
      'recurrence.days.0',
    ],
    ['neither end nor recurrence', () => ({ name: 'night', match: {} }), 'endsAt: is required without recurrence.'],
    ['an end that is no date', () => ({ ...good, endsAt: 'soon' }), 'endsAt: must be an ISO 8601'],
    ['an end without a zone', () => ({ ...good, endsAt: '2026-01-02T00:00:00' }), 'endsAt: must be an ISO 8601'],
    ['an end on no day', () => ({ ...good, endsAt: '2026-02-29T00:00:00Z' }), 'endsAt: must be an ISO 8601'],
    ['an end in the past', () => ({ ...good, endsAt: '2025-12-31T00:00:00Z' }), 'endsAt: must be after startsAt.'],
    ['a start that is no date', () => ({ ...good, startsAt: 'now' }), 'startsAt: must be an ISO 8601'],
    [
      'an end before its start',
      () => ({ ...good, startsAt: '2026-01-03T00:00:00Z' }),
      'endsAt: must be after startsAt.',
    ],
    ['an end at its start', () => ({ ...good, startsAt: good.endsAt }), 'endsAt: must be after startsAt.'],
    ['no name', () => ({ match: {}, endsAt: good.endsAt }), 'name'],
    ['a blank name', () => ({ ...good, name: ' ' }), 'name: must not be empty.'],
    ['no match', () => ({ name: 'night', endsAt: good.endsAt }), 'match'],
    ['an empty list', () => ({ ...good, match: { alertIds: [] } }), 'match.alertIds'],
    [
      'an unknown alert',
      (id) => ({ ...good, match: { alertIds: [id, unknownId] } }),
      'match.alertIds.1: there is no alert with this id.',
    ],
    [
      'a malformed alert id',
      () => ({ ...good, match: { alertIds: ['x\u0000'] } }),
      'match.alertIds.0: there is no alert with this id.',
    ],
    ['a group without a value', () => ({ ...good, match: { groups: [{ key: 'pod' }] } }), 'match.groups.0.value'],
    ['an empty tag', () => ({ ...good, match: { tags: [''] } }), 'match.tags.0'],
    // Left out, each of these would silence more than was meant.
    [
      'a misspelt list',
      () => ({ ...good, match: { alertsIds: [unknownId] } }),
      'match.alertsIds: is not a known field',
    ],
    [
      'a misspelt key of a group',
      () => ({ ...good, match: { groups: [{ name: 'pod', value: 'p1' }] } }),
      'match.groups.0.name: is not a known field',
    ],
    [
      'a misspelt key of a recurrence',
      () => ({ ...weekly, recurrence: { ...recurrence, timeZone: 'Europe/Berlin' } }),
      'recurrence.timeZone: is not a known field',
    ],
  ];

  it.each(problems)('400 with %s, at create and update; nothing is written', async (_title, body, text) => {
    const api = await MutingApi.start('selfHosted');
    const refused = await api.send('POST', '/silences', { body: body(api.alertId) });
    expect([refused.status, api.errorText(refused)]).toEqual([400, expect.stringContaining(text)]);
    expect(await api.silences()).toEqual([]);

    const created = api.unwrap(await api.send('POST', '/silences', { body: good })) as SilenceRecord;
    const update = await api.send('PUT', `/silences/${created.id}`, { body: body(api.alertId) });
    expect([update.status, api.errorText(update)]).toEqual([400, expect.stringContaining(text)]);
    expect(await api.silences()).toEqual([created]);
  });

  it('decisions F2: another tenant’s alert is as unknown as none', async () => {
    const api = await MutingApi.start('selfHosted');
    const body = { ...good, match: { alertIds: [api.alertId] } };
    const refused = await api.send('POST', '/silences', { body, key: 'other' });
    expect([refused.status, api.errorText(refused)]).toEqual([
      400,
      'match.alertIds.0: there is no alert with this id.',
    ]);
    expect((await api.send('POST', '/silences', { body })).status).toBe(200);
  });
});

describe.each(['selfHosted', 'managed'] as const)('%s: U-28: recoveryThreshold of an alert', (flavour) => {
  it.each([
    ['a text', { recoveryThreshold: '70' }],
    ['a list', { recoveryThreshold: [70] }],
    ['more than the threshold, for above', { recoveryThreshold: 101 }],
    ['more than the threshold, for above_exclusive', { thresholdType: 'above_exclusive', recoveryThreshold: 101 }],
    ['less than the threshold, for below', { thresholdType: 'below', recoveryThreshold: 99 }],
    ['less than the threshold, for below_or_equal', { thresholdType: 'below_or_equal', recoveryThreshold: 99 }],
    ['one for equal', { thresholdType: 'equal', recoveryThreshold: 100 }],
    ['one for not_equal', { thresholdType: 'not_equal', recoveryThreshold: 100 }],
    ['one for between', { thresholdType: 'between', thresholdMax: 200, recoveryThreshold: 150 }],
    ['one for not_between', { thresholdType: 'not_between', thresholdMax: 200, recoveryThreshold: 150 }],
  ])('400 with %s, at create and update; nothing is written', async (_title, parts) => {
    const api = new AlertApi(flavour);
    const body = { ...seedBody, ...parts };
    const refused = await api.send('POST', '/alerts', { body });
    expect([refused.status, api.errorText(refused)]).toEqual([400, expect.stringContaining('recoveryThreshold')]);
    expect(await api.list()).toEqual([]);
    const created = await api.create({ ...seedBody, recoveryThreshold: 70 });
    const update = await api.send('PUT', `/alerts/${created.id}`, { body });
    expect([update.status, api.errorText(update)]).toEqual([400, expect.stringContaining('recoveryThreshold')]);
    expect(await api.get(created.id)).toEqual(created);
  });

  it.each([
    { thresholdType: 'above', recoveryThreshold: 70 },
    { thresholdType: 'above_exclusive', recoveryThreshold: 100 },
    { thresholdType: 'below', recoveryThreshold: 130.5 },
    { thresholdType: 'below_or_equal', recoveryThreshold: 100 },
  ])('%j comes back as it was sent; null clears it', async (parts) => {
    const api = new AlertApi(flavour);
    const { id, recoveryThreshold } = (await api.create({ ...seedBody, ...parts })) as { id: string } & typeof parts;
    expect(recoveryThreshold).toBe(parts.recoveryThreshold);
    expect(await api.put(id, { ...seedBody, ...parts, recoveryThreshold: null })).not.toHaveProperty(
      'recoveryThreshold',
    );
  });
});
