import type { LogSource, TraceSource } from '../../../src/contract/source.ts';
import { randomIds } from '../../../src/kernel/ids.ts';
import { ChartApi, tenant } from '../../scenarios/charts/chart-api.ts';
import { openEngine, type TestEngine } from '../../support/start-engine.ts';
import { makeDatabase, makeTableLike, type Row } from '../telemetry-fixture.ts';
import { columnField } from './facts.ts';
import { eventKind, type Kind, metricKind } from './kinds.ts';
import type { Random } from './random.ts';
import { randomLogs, randomSpans, rowOfEvent } from './random-events.ts';
import {
  randomExponentials,
  randomGauges,
  randomHistograms,
  randomSummaries,
  randomSums,
  rowOfExponential,
  rowOfGauge,
  rowOfHistogram,
  rowOfSum,
  rowOfSummary,
} from './random-points.ts';
import { SlowExponentialHistograms, SlowHistograms, SlowSummaries } from './slow-distributions.ts';
import { SlowEvents } from './slow-events.ts';
import { SlowGauges, SlowSums } from './slow-numbers.ts';

const { telemetryDatabase: database } = tenant;
const events = 2_500;

/** Random rows of every kind in the engine, and the same rows for the slow reading. */
export async function randomWorld(random: Random): Promise<{ api: ChartApi; kinds: Kind[] }> {
  const { engine, api } = await emptyWorld();
  // One after the other, so that the same seed makes the same rows.
  const kinds = [...(await eventKinds(random, engine, api)), ...(await metricKinds(random, engine, api))];
  return { api, kinds };
}

/** The same of metrics alone. */
export async function randomMetricWorld(random: Random): Promise<{ api: ChartApi; kinds: Kind[] }> {
  const { engine, api } = await emptyWorld();
  return { api, kinds: await metricKinds(random, engine, api) };
}

async function emptyWorld(): Promise<{ engine: TestEngine; api: ChartApi }> {
  const engine = await openEngine();
  await makeDatabase(engine, database);
  const store = { runner: engine.queryRunner, schemas: engine.tableSchemas };
  // A machine that does much else beside it may take its time.
  return { engine, api: await ChartApi.over(store, { limits: { timeoutMs: 120_000 } }) };
}

async function eventKinds(random: Random, engine: TestEngine, api: ChartApi): Promise<Kind[]> {
  const columns = 'ADD COLUMN SampleRate UInt64';
  await makeTableLike(engine, database, 'otel_traces', 'sampled_spans');
  await engine.client.command(`ALTER TABLE ${database}.sampled_spans ${columns}`, { timeoutMs: 10_000 });
  const [logs, spans, sampled] = [
    randomLogs(random, events),
    randomSpans(random, events, false),
    randomSpans(random, events, true),
  ];
  await store(engine, random, 'otel_logs', logs.map(rowOfEvent));
  await store(engine, random, 'otel_traces', spans.map(rowOfEvent));
  await store(engine, random, 'sampled_spans', sampled.map(rowOfEvent));
  const [log, trace] = [await sourceOf<LogSource>(api, 'log'), await sourceOf<TraceSource>(api, 'trace')];
  const filteredId = await addSource(api, {
    ...log,
    tableFilterExpression: "ServiceName != 'api' OR SeverityNumber > 9",
  });
  const sampledId = await addSource(api, {
    ...trace,
    from: { ...trace.from, tableName: 'sampled_spans' },
    sampleRateExpression: 'SampleRate',
  });
  const [service, severity] = [columnField('ServiceName'), columnField('SeverityNumber')];
  const kept = logs.filter((each) => service.read(each) !== 'api' || Number(severity.read(each)) > 9);
  return [
    eventKind({ name: 'logs', sourceId: log.id, slow: new SlowEvents(logs), isLogs: true }),
    eventKind({ name: 'logs of a filtered source', sourceId: filteredId, slow: new SlowEvents(kept), isLogs: true }),
    eventKind({ name: 'spans', sourceId: trace.id, slow: new SlowEvents(spans), isLogs: false }),
    eventKind({ name: 'sampled spans', sourceId: sampledId, slow: new SlowEvents(sampled), isLogs: false }),
  ];
}

async function metricKinds(random: Random, engine: TestEngine, api: ChartApi): Promise<Kind[]> {
  const sourceId = await api.sourceId('metric');
  const gauges = [...randomGauges(random, 'gauge.1'), ...randomGauges(random, 'gauge.2')];
  const sums = [
    ...randomSums(random, 'sum.delta', 'delta'),
    ...randomSums(random, 'sum.cumulative', 'cumulative'),
    ...randomSums(random, 'sum.both', 'both'),
    ...randomSums(random, 'sum.up.down', 'both', false),
  ];
  const histograms = [
    ...randomHistograms(random, 'histogram.delta', 'delta'),
    ...randomHistograms(random, 'histogram.cumulative', 'cumulative'),
    ...randomHistograms(random, 'histogram.both', 'both'),
  ];
  const exponentials = [
    ...randomExponentials(random, 'exponential.delta', 'delta'),
    ...randomExponentials(random, 'exponential.cumulative', 'cumulative'),
  ];
  const summaries = randomSummaries(random, 'summary');
  await store(engine, random, 'otel_metrics_gauge', gauges.map(rowOfGauge));
  await store(engine, random, 'otel_metrics_sum', sums.map(rowOfSum));
  await store(engine, random, 'otel_metrics_histogram', histograms.map(rowOfHistogram));
  await store(engine, random, 'otel_metrics_exponential_histogram', exponentials.map(rowOfExponential));
  await store(engine, random, 'otel_metrics_summary', summaries.map(rowOfSummary));
  const slowSums = new SlowSums(sums);
  const slowHistograms = new SlowHistograms(histograms);
  const slowExponentials = new SlowExponentialHistograms(exponentials);
  const sum = (name: string, ...metrics: string[]): Kind =>
    metricKind({ name, sourceId, slow: slowSums, metrics, metricType: 'sum' });
  const histogram = (name: string, ...metrics: string[]): Kind =>
    metricKind({ name, sourceId, slow: slowHistograms, metrics, metricType: 'histogram' });
  const exponential = (name: string, ...metrics: string[]): Kind =>
    metricKind({ name, sourceId, slow: slowExponentials, metrics, metricType: 'exponential histogram' });
  const [slowGauges, slowSummaries] = [new SlowGauges(gauges), new SlowSummaries(summaries)];
  return [
    metricKind({ name: 'gauges', sourceId, slow: slowGauges, metrics: ['gauge.1', 'gauge.2'], metricType: 'gauge' }),
    sum('delta sums', 'sum.delta'),
    sum('cumulative sums', 'sum.cumulative'),
    sum('sums of both temporalities', 'sum.both'),
    sum('up-down counters', 'sum.up.down'),
    histogram('delta histograms', 'histogram.delta'),
    histogram('cumulative histograms', 'histogram.cumulative'),
    histogram('histograms of both temporalities', 'histogram.both', 'histogram.delta'),
    exponential('delta exponential histograms', 'exponential.delta'),
    exponential('cumulative exponential histograms', 'exponential.cumulative', 'exponential.delta'),
    metricKind({ name: 'summaries', sourceId, slow: slowSummaries, metrics: ['summary'], metricType: 'summary' }),
  ];
}

/** In any order and in several parts, as late rows come. */
async function store(engine: TestEngine, random: Random, table: string, rows: readonly Row[]): Promise<void> {
  const mixed = random.shuffled(rows);
  const part = Math.ceil(mixed.length / 4);
  for (let at = 0; at < mixed.length; at += part) {
    const lines = mixed.slice(at, at + part).map((row) => JSON.stringify(row, asJson));
    await insertLines(engine, `INSERT INTO ${database}.${table} FORMAT JSONEachRow`, lines.join('\n'));
  }
}

async function insertLines({ endpoint }: TestEngine, query: string, body: string): Promise<void> {
  const { url, user, secret } = endpoint();
  const headers = { 'X-ClickHouse-User': user, 'X-ClickHouse-Key': secret };
  const search = new URLSearchParams({ query, distributed_foreground_insert: '1' });
  const answer = await fetch(`${url}/?${search}`, { method: 'POST', headers, body });
  if (!answer.ok) throw new Error(await answer.text());
}

/** Times as the engine reads them, numbers that JSON does not know as text. */
function asJson(key: string, value: unknown): unknown {
  if (typeof value !== 'number') return value;
  if (/^(Timestamp|TimeUnix|StartTimeUnix)$/.test(key)) return new Date(value).toISOString().slice(0, -1);
  return Number.isFinite(value) ? value : String(value).replace('Infinity', 'inf').toLowerCase();
}

async function sourceOf<T extends LogSource | TraceSource>(api: ChartApi, kind: T['kind']): Promise<T> {
  const found = (await api.parts.sources.list(tenant.id)).find((source): source is T => source.kind === kind);
  if (!found) throw new Error(`there is no ${kind} source`);
  return found;
}

async function addSource(api: ChartApi, source: LogSource | TraceSource): Promise<string> {
  const id = randomIds.hex24();
  await api.parts.sources.insert(tenant.id, { ...source, id });
  return id;
}
