import { describe, expect, it } from 'vitest';
import type { AlertDeliveryRecord, AlertEvaluationRecord } from '../../../src/contract/alert-log.ts';
import type { AlertTrendRecord } from '../../../src/contract/alert-trend.ts';
import type { GroupEvaluation } from '../../../src/evaluator/alert-state.ts';
import type { EvaluationResult } from '../../../src/evaluator/evaluation-store.ts';
import type { FlavourName } from '../../../src/http/operation.ts';
import { serviceId } from '../../../src/http/testing.ts';
import { evaluationOf, messageOf, newYearMs } from '../../support/alert-fixtures.ts';
import { AlertApi, unknownId, webhookId } from './alert-api.ts';

const hourMs = 3_600_000;
const claim = { claim: 'c', max: 1, perWebhookMax: 1 };
const group = [{ key: 'host', value: 'a' }];

/** An alert of one hour whose windows a test evaluates one after the other. */
class LoggedAlert {
  readonly api: AlertApi;
  readonly id: string;
  /** End of the window that is evaluated next. */
  endMs = newYearMs + hourMs;

  private constructor(api: AlertApi, id: string) {
    this.api = api;
    this.id = id;
  }

  static async create(flavour: FlavourName): Promise<LoggedAlert> {
    const api = new AlertApi(flavour);
    return new LoggedAlert(api, (await api.create()).id);
  }

  async evaluate(
    status: EvaluationResult['state']['status'],
    parts: Partial<EvaluationResult> = {},
    groups: readonly GroupEvaluation[] = [{ group, value: 7, status: 'ALERT' }],
  ): Promise<void> {
    const { store } = this.api;
    const claim = { owner: 'e1', nowMs: this.endMs, dueBeforeMs: this.endMs, leaseUntilMs: 0, max: 1 };
    const [leased] = await store.claimDue(claim);
    if (!leased) throw new Error('the alert was not due');
    const evaluation = evaluationOf(leased, { followingWindowEndMs: this.endMs + hourMs, leaseUntilMs: 0, ...parts });
    const history = {
      windowStartMs: this.endMs - hourMs,
      windowEndMs: this.endMs,
      evaluatedAtMs: this.endMs + 10_000,
      durationMs: 42,
      status,
      groups,
    };
    await store.commit({ ...evaluation, history: { ...history, ...parts.history } });
    this.endMs += hourMs;
  }

  /** A window that fires with one message, which meets this receiver. */
  async fire(status: number): Promise<void> {
    const made = messageOf(serviceId, { webhookId, createdAtMs: this.endMs + 10_000 });
    const window = { startMs: this.endMs - hourMs, endMs: this.endMs };
    const alert = { ...made.notification.alert, id: this.id, message: 'a text with the secret s3cret' };
    const notification = { ...made.notification, alert, group, window };
    await this.evaluate('ALERT', { notifications: [{ ...made, notification }] });
    const { outbox } = this.api.store;
    const nowMs = this.endMs;
    const request = { claim: 'c', nowMs, claimUntilMs: nowMs, max: 1, perWebhookMax: 1 };
    const [claimed] = await outbox.claimDue(request);
    if (!claimed) throw new Error('no message was due');
    const ok = status === 200;
    const attempt = { atMs: nowMs, durationMs: 5, status, ...(!ok && { error: `The receiver answered ${status}.` }) };
    await outbox.record(claimed, attempt, ok ? { kind: 'delivered' } : { kind: 'retry', nextAttemptMs: nowMs + 1 });
  }

  get(resource: 'deliveries' | 'history', query = '', key: 'admin' | 'reader' | 'other' = 'admin') {
    return this.api.send('GET', `/alerts/${this.id}/${resource}${query}`, { key });
  }

  async deliveries(query = ''): Promise<AlertDeliveryRecord[]> {
    return this.api.unwrap(await this.get('deliveries', query)) as AlertDeliveryRecord[];
  }

  async history(query = ''): Promise<AlertEvaluationRecord[]> {
    return this.api.unwrap(await this.get('history', query)) as AlertEvaluationRecord[];
  }
}

describe.each(['selfHosted', 'managed'] as const)('the log of an alert, %s', (flavour) => {
  it('decisions A8: every attempt with time, webhook, reason, status, error, number and outcome; no secret', async () => {
    const alert = await LoggedAlert.create(flavour);
    await alert.fire(503);
    const [line] = await alert.deliveries();
    expect(line).toEqual({
      id: `${line?.messageId}-1`,
      messageId: expect.any(String),
      at: '2026-01-01T02:00:00.000Z',
      durationMs: 5,
      attempt: 1,
      webhookId,
      reason: 'firing',
      group,
      status: 503,
      error: 'The receiver answered 503.',
      state: 'failing',
      nextAttemptAt: '2026-01-01T02:00:00.001Z',
      replayable: false,
    });
    expect((await alert.get('deliveries')).body).not.toContain('s3cret');
  });

  it('every window with its groups and notifications', async () => {
    const alert = await LoggedAlert.create(flavour);
    await alert.fire(200);
    expect(await alert.history()).toEqual([
      {
        windowStart: '2026-01-01T00:00:00.000Z',
        windowEnd: '2026-01-01T01:00:00.000Z',
        evaluatedAt: '2026-01-01T01:00:10.000Z',
        durationMs: 42,
        state: 'ALERT',
        reason: 'sent',
        groups: [{ group, value: 7, state: 'ALERT', reason: 'sent' }],
        notifications: [
          {
            webhookId,
            reason: 'firing',
            group,
            state: 'delivered',
            attempts: 1,
            lastAttemptAt: '2026-01-01T02:00:00.000Z',
            lastStatus: 200,
          },
        ],
      },
    ]);
  });

  it.each([
    [200, 'sent', 'delivered'],
    [503, 'failing', 'failing'],
  ] as const)('the reason is the state of the notification: %i → %s', async (status, reason, state) => {
    const alert = await LoggedAlert.create(flavour);
    await alert.fire(status);
    const [window] = await alert.history();
    expect(window).toMatchObject({
      reason,
      groups: [{ reason }],
      notifications: [{ state, attempts: 1, lastStatus: status }],
    });
  });

  const quiet: [string, Partial<GroupEvaluation>, string][] = [
    ['a value within the rule', { status: 'OK', value: 1 }, 'not_breaching'],
    ['no data, which the rule takes for well', { status: 'OK', value: null }, 'no_data'],
    ['no data', { status: 'INSUFFICIENT_DATA', value: null }, 'no_data'],
    ['too few windows in a row', { status: 'PENDING', value: 7 }, 'pending'],
    ['it fires as before', { status: 'ALERT', value: 7 }, 'already_notified'],
    ['it fires under a silence', { status: 'ALERT', value: 7, suppressed: 'silenced' }, 'silenced'],
    ['it ended under a silence', { status: 'OK', value: 1, suppressed: 'silenced' }, 'silenced'],
    ['an acknowledged repeat', { status: 'ALERT', value: 7, suppressed: 'acknowledged' }, 'acknowledged'],
    ['a message', { status: 'OK', value: 1, notified: 'resolved' }, 'sent'],
  ];
  it.each(quiet)('the reason of a group and its window: %s', async (_case, evaluated, reason) => {
    const alert = await LoggedAlert.create(flavour);
    const made: GroupEvaluation = { group, value: 7, status: 'ALERT', ...evaluated };
    await alert.evaluate(made.status, {}, [made]);
    expect(await alert.history()).toMatchObject([{ reason, groups: [{ reason }], notifications: [] }]);
  });

  it('a window shows the most important of the reasons of its groups', async () => {
    const alert = await LoggedAlert.create(flavour);
    const groups: GroupEvaluation[] = [
      { group, value: 1, status: 'OK' },
      { group: [], value: 7, status: 'ALERT', suppressed: 'silenced' },
      { group: [{ key: 'host', value: 'b' }], value: 7, status: 'PENDING' },
    ];
    await alert.evaluate('ALERT', {}, groups);
    expect((await alert.history())[0]?.reason).toBe('silenced');
  });

  it('decisions A6: a window that could not be evaluated says so', async () => {
    const alert = await LoggedAlert.create(flavour);
    const [leased] = await alert.api.store.claimDue({
      owner: 'e1',
      nowMs: alert.endMs,
      dueBeforeMs: alert.endMs,
      leaseUntilMs: 0,
      max: 1,
    });
    if (!leased) throw new Error('the alert was not due');
    const { history, ...evaluated } = evaluationOf(leased);
    const error = {
      timestamp: new Date(newYearMs).toISOString(),
      type: 'QUERY_TIMEOUT' as const,
      message: 'Too slow.',
    };
    const failure = { ...evaluated, errors: [error], retryDueMs: alert.endMs };
    await alert.api.store.recordFailure({ ...failure, history: { ...history, error } });
    expect(await alert.history()).toMatchObject([{ error, reason: 'error' }]);
  });

  it('newest first, in pages with the number of all', async () => {
    const alert = await LoggedAlert.create(flavour);
    for (let window = 0; window < 3; window++) await alert.fire(200);
    const ends = (await alert.history('?limit=2&offset=1')).map(({ windowEnd }) => windowEnd);
    expect(ends).toEqual(['2026-01-01T02:00:00.000Z', '2026-01-01T01:00:00.000Z']);
    const times = (await alert.deliveries('?limit=1')).map(({ at }) => at);
    expect(times).toEqual(['2026-01-01T04:00:00.000Z']);
    for (const resource of ['deliveries', 'history'] as const) {
      const answer = await alert.get(resource, '?limit=1&offset=2');
      expect(answer.headers['x-total-count']).toBe('3');
      if (flavour === 'selfHosted') expect(answer.json).toMatchObject({ meta: { total: 3, limit: 1, offset: 2 } });
      for (const query of ['?limit=0', '?limit=1001', '?offset=-1', '?limit=x']) {
        expect((await alert.get(resource, query)).status).toBe(400);
      }
    }
  });

  it('trends: the last windows of an alert with the value that decided, newest last, and its notifications', async () => {
    const alert = await LoggedAlert.create(flavour);
    const other: GroupEvaluation = { group: [], value: 9, status: 'OK' };
    await alert.evaluate('OK', {}, [other, { group, value: 3, status: 'OK' }]);
    await alert.evaluate('INSUFFICIENT_DATA', {}, []);
    await alert.fire(503);
    const trends = async (ids: string) =>
      alert.api.unwrap(await alert.api.send('GET', `/alerts/trends?ids=${ids}`, { key: 'reader' }));
    const hour = (of: number) => `2026-01-01T0${of}:00:00.000Z`;
    expect(await trends(`${unknownId},${alert.id}`)).toEqual([
      {
        id: alert.id,
        windows: [
          { windowStart: hour(0), windowEnd: hour(1), value: 9, state: 'OK' },
          { windowStart: hour(1), windowEnd: hour(2), value: null, state: 'INSUFFICIENT_DATA' },
          { windowStart: hour(2), windowEnd: hour(3), value: 7, state: 'ALERT' },
        ],
        last: { group, value: 7 },
        notifications: [
          {
            ...{ webhookId, state: 'failing', attempts: 1, lastAttemptAt: expect.any(String), lastStatus: 503 },
            lastError: 'The receiver answered 503.',
          },
        ],
      },
    ]);
    await alert.evaluate('ALERT', {}, [{ group, value: 7, status: 'ALERT', suppressed: 'silenced' }]);
    expect(await trends(alert.id)).toMatchObject([{ last: { suppressed: 'silenced' } }]);
    const young = await alert.api.create();
    expect(await trends(young.id)).toEqual([{ id: young.id, windows: [], notifications: [] }]);
  });

  it('trends: the last 24 windows at most; alerts of others are not there', async () => {
    const alert = await LoggedAlert.create(flavour);
    for (let window = 0; window < 26; window++) await alert.evaluate('OK');
    const path = `/alerts/trends?ids=${alert.id}`;
    const [trend] = alert.api.unwrap(await alert.api.send('GET', path)) as AlertTrendRecord[];
    expect([trend?.windows.length, trend?.windows.at(-1)?.windowEnd]).toEqual([24, '2026-01-02T02:00:00.000Z']);
    const foreign = await alert.api.send('GET', path, { key: 'other' });
    if (flavour === 'selfHosted') expect(alert.api.unwrap(foreign)).toEqual([]);
    else expect(foreign.status).toBe(403);
  });

  it.each([
    ['', 'ids: is required'],
    ['?ids=', 'ids: must be 1 to 50 ids of alerts, separated by commas'],
    ['?ids=a', 'an id is 24 lower-case hex characters'],
    [`?ids=${unknownId},`, 'ids: must be 1 to 50 ids of alerts'],
    [`?ids=${Array.from({ length: 51 }, () => unknownId).join(',')}`, 'ids: must be 1 to 50 ids of alerts'],
  ])('trends of what are no ids: 400 (%s)', async (query, text) => {
    const { api } = await LoggedAlert.create(flavour);
    const answer = await api.send('GET', `/alerts/trends${query}`);
    expect([answer.status, api.errorText(answer)]).toEqual([400, expect.stringContaining(text)]);
  });

  it('the history of a range: windows that end after its start, and by its end', async () => {
    const alert = await LoggedAlert.create(flavour);
    for (let window = 0; window < 4; window++) await alert.fire(200);
    const start = '2026-01-01T01:00:00Z';
    const endMs = Date.UTC(2026, 0, 1, 3);
    const between = await alert.get('history', `?startTime=${start}&endTime=${endMs}&limit=1`);
    expect(between.headers['x-total-count']).toBe('2');
    expect(alert.api.unwrap(between)).toMatchObject([{ windowEnd: '2026-01-01T03:00:00.000Z' }]);
    expect(await alert.history(`?startTime=${endMs}`)).toHaveLength(1);
    expect(await alert.history(`?endTime=${start}`)).toHaveLength(1);
  });

  it.each([
    ['startTime=yesterday', 'startTime: must be Unix milliseconds or an ISO 8601 date and time with its zone'],
    ['endTime=', 'endTime: must be Unix milliseconds or an ISO 8601 date and time with its zone'],
    ['endTime=2026-01-01T00:00:00', 'endTime: must be Unix milliseconds or an ISO 8601'],
    ['startTime=2026-01-01T00:00:00Z&endTime=2026-01-01T00:00:00Z', 'endTime: must be later than startTime'],
  ])('the history of a range that is none: 400 (%s)', async (query, text) => {
    const alert = await LoggedAlert.create(flavour);
    const answer = await alert.get('history', `?${query}`);
    expect([answer.status, alert.api.errorText(answer)]).toEqual([400, expect.stringContaining(text)]);
  });

  it('an alert that has not been evaluated yet has an empty log; keys that may only read may look', async () => {
    const alert = await LoggedAlert.create(flavour);
    for (const resource of ['deliveries', 'history'] as const) {
      const answer = await alert.get(resource, '', 'reader');
      expect(alert.api.unwrap(answer)).toEqual([]);
    }
  });

  it('an unknown or malformed id: 404', async () => {
    const alert = await LoggedAlert.create(flavour);
    for (const id of [unknownId, 'x']) {
      for (const resource of ['deliveries', 'history']) {
        const answer = await alert.api.send('GET', `/alerts/${id}/${resource}`);
        expect([answer.status, alert.api.errorText(answer)]).toEqual([404, expect.stringContaining('Alert not found')]);
      }
    }
  });

  it('is documented', async () => {
    const { api } = await LoggedAlert.create(flavour);
    const path = flavour === 'managed' ? '/v1/openapi.json' : '/api/v2/openapi.json';
    const { body } = await api.sendTo('GET', path, { key: 'none' });
    for (const name of ['listAlertDeliveries', 'listAlertHistory', 'AlertDelivery', 'AlertEvaluation']) {
      expect(body).toContain(`"${name}"`);
    }
  });
});

describe.each(['selfHosted', 'managed'] as const)('POST /alerts/{id}/deliveries/{deliveryId}/replay, %s', (flavour) => {
  async function failed(): Promise<{ alert: LoggedAlert; path: string }> {
    const alert = await LoggedAlert.create(flavour);
    await alert.fire(200);
    const [line] = await alert.deliveries();
    return { alert, path: `/alerts/${alert.id}/deliveries/${line?.id}/replay` };
  }

  it('answers the delivery to come; the log shows it once it was tried', async () => {
    const { alert, path } = await failed();
    const replayed = alert.api.unwrap(await alert.api.send('POST', path)) as AlertDeliveryRecord;
    expect(replayed).toMatchObject({ reason: 'replay', group, attempt: 1, state: 'queued', webhookId });
    expect((await alert.deliveries()).map(({ state }) => state).toSorted()).toEqual(['delivered', 'queued']);
    const { outbox } = alert.api.store;
    const [claimed] = await outbox.claimDue({ ...claim, nowMs: alert.endMs, claimUntilMs: alert.endMs });
    if (!claimed) throw new Error('the replay was not due');
    await outbox.record(claimed, { atMs: alert.endMs, durationMs: 5, status: 200 }, { kind: 'delivered' });
    const [line] = await alert.deliveries();
    expect(line).toMatchObject({ id: replayed.id, reason: 'replay', state: 'delivered' });
  });

  it('404 for an unknown alert or delivery, 403 for keys that may only read', async () => {
    const { alert, path } = await failed();
    expect((await alert.api.send('POST', path, { key: 'reader' })).status).toBe(403);
    for (const missing of [`/alerts/${unknownId}/deliveries/x-1/replay`, `/alerts/${alert.id}/deliveries/x-1/replay`]) {
      expect((await alert.api.send('POST', missing)).status).toBe(404);
    }
  });

  it('409 while the message is still being tried', async () => {
    const alert = await LoggedAlert.create(flavour);
    await alert.fire(503);
    const [line] = await alert.deliveries();
    const answer = await alert.api.send('POST', `/alerts/${alert.id}/deliveries/${line?.id}/replay`);
    expect([answer.status, alert.api.errorText(answer)]).toEqual([
      409,
      expect.stringContaining('still being delivered'),
    ]);
  });

  it('409 when the message is no longer kept', async () => {
    const { alert, path } = await failed();
    await alert.api.store.oldRecords.removeBefore(alert.endMs, 100);
    expect((await alert.api.send('POST', path)).status).toBe(409);
  });
});

it('decisions F2: the log of another team’s alert looks like a missing one', async () => {
  const alert = await LoggedAlert.create('selfHosted');
  await alert.fire(200);
  for (const resource of ['deliveries', 'history'] as const) {
    expect((await alert.get(resource, '', 'other')).status).toBe(404);
  }
});
