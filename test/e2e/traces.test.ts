import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseTraceparent } from '../../src/kernel/traceparent.ts';
import { create, createEmptyCounts, endWindowSoon, firingAlert } from '../support/firing-alert.ts';
import { ingestionKey, personalKey, type RunningProgram, startProgram } from '../support/start-program.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';

interface Span {
  SpanName: string;
  SpanKind: string;
  SpanId: string;
  ParentSpanId: string;
}

const receiver = new WebhookReceiver();
let program: RunningProgram;
let url: string;
let sources: { id: string; name: string; kind: string }[];

beforeAll(async () => {
  url = await receiver.start();
  program = await startProgram({ env: { SIGNALBOX_ALERT_DELAY_MS: '0', SIGNALBOX_SELF_TELEMETRY: '1' } });
  const { json } = await program.call('GET', '/api/v2/sources');
  sources = (json as { data: typeof sources }).data;
});

afterAll(async () => {
  await program.stop();
  await receiver.stop();
});

const idOf = (name: string) => sources.find((source) => source.name === name)?.id;

/** A caller's span. */
function caller() {
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  return { traceId, spanId, headers: { traceparent: `00-${traceId}-${spanId}-01` } };
}

async function post(path: string, body: object, headers: Record<string, string>): Promise<number> {
  const { status } = await fetch(`${program.addresses.api}/api/v2${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${personalKey}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return status;
}

/** What the program reported of a trace, as `name < name of its parent`; `caller` is the span that came with the request. */
async function tree(traceId: string, callerSpanId?: string): Promise<string[]> {
  const { json } = await program.call('POST', '/api/v2/search', {
    sourceId: idOf('Signalbox Traces'),
    where: `TraceId:"${traceId}"`,
    select: 'SpanName, SpanKind, SpanId, ParentSpanId',
  });
  const spans = (json as { data: Span[] }).data;
  const nameOf = (spanId: string) =>
    spanId === callerSpanId ? 'caller' : spans.find((span) => span.SpanId === spanId)?.SpanName;
  return spans.map(({ SpanName, ParentSpanId }) => `${SpanName} < ${nameOf(ParentSpanId)}`).toSorted();
}

it('a chart: request, operation and statement are parts of the caller’s trace', async () => {
  const { traceId, spanId, headers } = caller();
  const series = [{ sourceId: idOf('Logs'), aggFn: 'count', where: '', groupBy: [] }];
  const body = { startTime: Date.now() - 60_000, endTime: Date.now(), granularity: '1m', series };
  expect(await post('/charts/series', body, headers)).toBe(200);
  await expect
    .poll(() => tree(traceId, spanId))
    .toEqual([
      'POST /api/v2/charts/series < caller',
      'chart query < queryChartSeries',
      'queryChartSeries < POST /api/v2/charts/series',
    ]);
});

it('a test of a webhook: the delivery is a part of it, and the receiver gets its span', async () => {
  const { traceId, spanId, headers } = caller();
  const { id } = await create(program, '/webhooks', { name: 'tested', service: 'generic', url });
  expect(await post(`/webhooks/${id}/test`, {}, headers)).toBe(200);
  expect(parseTraceparent(receiver.received.at(-1)?.headers.traceparent)?.traceId).toBe(traceId);
  const request = 'POST /api/v2/webhooks/:id/test';
  await expect
    .poll(() => tree(traceId, spanId))
    .toEqual([`${request} < caller`, 'notification delivery < testWebhook', `testWebhook < ${request}`]);
});

it('an export: the collector’s part of the sender’s trace', async () => {
  const { traceId, spanId, headers } = caller();
  const logRecords = [{ timeUnixNano: `${Date.now()}000000`, body: { stringValue: 'hello' } }];
  const { status } = await fetch(`${program.addresses.otlpHttp}/v1/logs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: ingestionKey, ...headers },
    body: JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] }),
  });
  expect(status).toBe(200);
  await expect.poll(() => tree(traceId, spanId)).toEqual(['POST /v1/logs < caller']);
});

it('an alert that fires: the delivery is a part of the evaluation, not of the request that made the alert', async () => {
  const { traceId, headers } = caller();
  const { id: dashboardId, tiles } = await createEmptyCounts(program);
  const { id: webhookId } = await create(program, '/webhooks', { name: 'ops', service: 'generic', url });
  const alert = { ...firingAlert({ dashboardId, tileId: tiles[0]?.id, webhookId, firesAtMs: 0 }) };
  const before = receiver.received.length;
  await endWindowSoon((window) => post('/alerts', { ...alert, ...window }, headers));
  await expect.poll(() => receiver.received.length).toBeGreaterThan(before);
  const reported = parseTraceparent(receiver.received.at(-1)?.headers.traceparent);
  expect(reported?.traceId).not.toBe(traceId);
  await expect
    .poll(() => tree(reported?.traceId ?? ''))
    .toEqual(['alert evaluation < undefined', 'notification delivery < alert evaluation']);
});
