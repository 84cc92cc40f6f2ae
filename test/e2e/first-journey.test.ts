import { SpanStatusCode } from '@opentelemetry/api';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { endWindowSoon, windowEndingAt } from '../support/firing-alert.ts';
import { type Protocol, protocols, startSdk } from '../support/otel-sdk.ts';
import { acme, ingestionKey, type RunningProgram, startProgram } from '../support/start-program.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';

const receiver = new WebhookReceiver();
let program: RunningProgram;

beforeAll(async () => {
  const url = await receiver.start();
  const [team] = acme.teams;
  const provisioning = {
    teams: [{ ...team, webhooks: [{ name: 'ops', service: 'generic', url, headers: { 'X-Token': 's3cret' } }] }],
  };
  program = await startProgram({ provisioning, env: { SIGNALBOX_ALERT_DELAY_MS: '0' } });
});

afterAll(async () => {
  await program.stop();
  await receiver.stop();
});

interface ChartRow {
  ts_bucket: number;
  group: string[];
  [series: `series_${number}.data`]: number;
}

async function sourceId(kind: string): Promise<string> {
  const { json } = await program.call('GET', '/api/v2/sources');
  const sources = (json as { data: { id: string; kind: string }[] }).data;
  return sources.find((source) => source.kind === kind)?.id ?? '';
}

/** One bucket over the last ten minutes and the next, so that the answer is one row per group. */
async function chart(series: Record<string, unknown>[]): Promise<ChartRow[]> {
  const nowMs = Date.now();
  const body = { startTime: nowMs - 600_000, endTime: nowMs + 60_000, granularity: '1d', series };
  const { status, json } = await program.call('POST', '/api/v2/charts/series', body);
  expect(status, JSON.stringify(json)).toBe(200);
  const rows = (json as { data: ChartRow[] }).data;
  return rows.sort((a, b) => JSON.stringify(a.group).localeCompare(JSON.stringify(b.group)));
}

/** Buckets are aligned to the epoch: around midnight UTC the range has two of them. */
function total(rows: ChartRow[]): number {
  return rows.reduce((sum, row) => sum + (row['series_0.data'] ?? 0), 0);
}

async function send(protocol: Protocol, serviceName: string): Promise<void> {
  const sdk = startSdk(protocol, { ...program.addresses, ingestionKey, serviceName });
  for (let index = 0; index < 25; index++) {
    const failed = index % 5 === 0;
    sdk.logger.emit({
      severityNumber: failed ? 17 : 9,
      severityText: failed ? 'error' : 'info',
      body: failed ? 'payment declined' : 'order placed',
      attributes: { 'order.amount': index, 'http.status_code': failed ? 500 : 200 },
    });
    const span = sdk.tracer.startSpan('GET /orders', { attributes: { 'order.amount': index } });
    if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  }
  const counter = sdk.meter.createCounter('orders.placed');
  counter.add(7, { region: 'eu' });
  counter.add(5, { region: 'us' });
  sdk.meter.createObservableGauge('queue.depth').addCallback((result) => result.observe(42.5));
  const histogram = sdk.meter.createHistogram('order.duration', { advice: { explicitBucketBoundaries: [10, 20, 30] } });
  for (const value of [5, 15, 15, 25]) histogram.record(value);
  await sdk.flush();
  await sdk.shutdown();
}

describe.each(protocols)('telemetry sent with the official SDK over %s comes back exactly', (protocol) => {
  const serviceName = `shop-${protocol.replace('/', '-')}`;
  const where = `ServiceName:"${serviceName}"`;

  beforeAll(() => send(protocol, serviceName));

  it('logs: counts, filters in both languages, sums of an attribute', async () => {
    const source = await sourceId('log');
    const base = { sourceId: source, aggFn: 'count', where, groupBy: [] };
    expect(total(await chart([base]))).toBe(25);
    expect(total(await chart([{ ...base, where: `${where} AND SeverityText:error AND "payment declined"` }]))).toBe(5);
    const sql = `ServiceName = '${serviceName}' AND LogAttributes['http.status_code'] = '500'`;
    expect(total(await chart([{ ...base, where: sql, whereLanguage: 'sql' }]))).toBe(5);
    expect(total(await chart([{ ...base, aggFn: 'sum', field: 'LogAttributes.order.amount' }]))).toBe(300);
    const bySeverity = await chart([{ ...base, groupBy: ['SeverityText'] }]);
    expect(bySeverity.map((row) => row.group)).toContainEqual(['error']);
    expect(total(bySeverity.filter((row) => row.group[0] === 'error'))).toBe(5);
  });

  it('spans: counts by status and by an attribute', async () => {
    const base = { sourceId: await sourceId('trace'), aggFn: 'count', where, groupBy: [] };
    expect(total(await chart([base]))).toBe(25);
    expect(total(await chart([{ ...base, where: `${where} StatusCode:Error` }]))).toBe(5);
    expect(total(await chart([{ ...base, where: `${where} SpanAttributes.order.amount:>=20` }]))).toBe(5);
    expect(total(await chart([{ ...base, aggFn: 'count_distinct', field: 'TraceId' }]))).toBe(25);
  });

  it('metrics: counter, gauge and histogram', async () => {
    const source = await sourceId('metric');
    const metric = (metricName: string, metricDataType: string, aggFn: string) => ({
      sourceId: source,
      aggFn,
      where,
      groupBy: [] as string[],
      metricName,
      metricDataType,
    });
    expect(total(await chart([metric('orders.placed', 'sum', 'sum')]))).toBe(12);
    expect((await chart([metric('queue.depth', 'gauge', 'last_value')])).at(-1)).toMatchObject({
      'series_0.data': 42.5,
    });
    expect(total(await chart([metric('order.duration', 'histogram', 'count')]))).toBe(4);
  });
});

/** An alert that evaluates nothing yet. Answers what moves its windows. */
async function saveAlert(rule: object): Promise<(window: ReturnType<typeof windowEndingAt>) => Promise<void>> {
  const save = async (method: string, path: string, window: object) => {
    const { status, json } = await program.call(method, `/api/v2/alerts${path}`, { ...rule, ...window });
    expect(status, JSON.stringify(json)).toBe(200);
    return (json as { data: { id: string } }).data.id;
  };
  const id = await save('POST', '', windowEndingAt(Date.now() + 3_600_000));
  return async (window) => void (await save('PUT', `/${id}`, window));
}

/** Five payments are declined at one instant; answers it. */
async function declinePayments(): Promise<number> {
  const atMs = Date.now() - 45_000;
  const sdk = startSdk('http/protobuf', { ...program.addresses, ingestionKey, serviceName: 'alerting' });
  for (let index = 0; index < 5; index++) sdk.logger.emit({ timestamp: atMs, body: 'payment declined' });
  await sdk.flush();
  await sdk.shutdown();
  return atMs;
}

/** An alert by service on a saved search, sent to a receiver that is addressed as PagerDuty is. */
async function pageOnSavedSearch({ sourceId: source, where }: { sourceId: string; where: string }) {
  const pager = new WebhookReceiver();
  const webhook = await program.call('POST', '/api/v2/webhooks', {
    name: 'pager',
    service: 'generic',
    url: await pager.start(),
    template: 'pagerduty',
    routingKey: 'R0UT1NG',
  });
  const search = await program.call('POST', '/api/v2/saved-searches', {
    name: 'Declined payments',
    sourceId: source,
    where,
  });
  const endWindow = await saveAlert({
    savedSearchId: (search.json as { data: { id: string } }).data.id,
    groupBy: 'ServiceName',
    threshold: 3,
    thresholdType: 'above',
    channel: { type: 'webhook', webhookId: (webhook.json as { data: { id: string } }).data.id },
  });
  return { pager, endWindow };
}

describe('from a key to a dashboard to an alert that calls a webhook', () => {
  it('fires once while the tile breaches and resolves once when it no longer does', async () => {
    const webhooks = (await program.call('GET', '/api/v2/webhooks')).json as { data: { id: string }[] };
    const series = {
      sourceId: await sourceId('log'),
      aggFn: 'count',
      where: 'ServiceName:"alerting" "payment declined"',
      groupBy: [],
    };
    const dashboard = await program.call('POST', '/api/v2/dashboards', {
      name: 'Shop',
      tiles: [{ name: 'Declined', series: [series] }],
    });
    expect(dashboard.status).toBe(200);
    const { id, tiles } = (dashboard.json as { data: { id: string; tiles: { id: string }[] } }).data;
    const endWindow = await saveAlert({
      dashboardId: id,
      tileId: tiles[0]?.id,
      threshold: 3,
      source: 'tile',
      thresholdType: 'above',
      channel: { type: 'webhook', webhookId: webhooks.data[0]?.id },
      name: 'Declined payments',
      message: 'see the runbook',
    });
    const paging = await pageOnSavedSearch(series);
    const { pager } = paging;
    onTestFinished(() => pager.stop());
    const endBothWindows = (earliestMs?: number) =>
      endWindowSoon(
        async (window) => void (await Promise.all([endWindow(window), paging.endWindow(window)])),
        earliestMs,
      );

    let declinedMs: number;
    // Once more where a machine took so long that what is declined lies before the window.
    do declinedMs = await declinePayments();
    while ((await endBothWindows()) - 60_000 > declinedMs);

    await expect.poll(() => receiver.received.length, { interval: 250 }).toBe(1);
    const [firing] = receiver.received;
    expect(firing?.headers['x-token']).toBe('s3cret');
    expect(firing?.headers['idempotency-key']).toBeTruthy();
    for (const part of ['Declined payments', 'ALERT', '5', '3']) expect(firing?.body).toContain(part);

    await expect.poll(() => pager.received.length, { interval: 250 }).toBe(1);
    // The first window without them.
    await endBothWindows(declinedMs + 61_000);
    await expect.poll(() => receiver.received.length, { interval: 250 }).toBe(2);
    const resolved = receiver.received[1];
    expect(resolved?.body).toContain('OK');
    expect(resolved?.headers['idempotency-key']).not.toBe(firing?.headers['idempotency-key']);
    expect(program.output()).not.toContain('s3cret');

    await expect.poll(() => pager.received.length, { interval: 250 }).toBe(2);
    const [trigger, resolve] = pager.received.map(({ body }) => JSON.parse(body));
    expect([trigger.event_action, resolve.event_action]).toEqual(['trigger', 'resolve']);
    expect(resolve.dedup_key).toBe(trigger.dedup_key);
    expect(trigger.payload).toMatchObject({
      summary: '🚨 Alert for "Declined payments" - 5 lines found',
      source: 'ServiceName:alerting',
      custom_details: { value: 5, body: expect.stringContaining('payment declined') },
    });
  });
});
