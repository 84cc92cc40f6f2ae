import { beforeAll, describe, expect, it } from 'vitest';
import { CreateDashboardSchema } from '../../../src/contract/dashboard.ts';
import { dashboardOf, dashboardTemplates, type TemplateSources } from '../../../src/contract/dashboard-templates.ts';
import type { SelectItem } from '../../../src/contract/tile-config.ts';
import type { TileAnswer } from '../../../src/contract/tile-query.ts';
import { bodyCheck } from '../../../src/http/schema-check.ts';
import { ChartApi, minuteMs, t0 } from '../charts/chart-api.ts';
import { insertRows, startStore } from '../charts/telemetry-rows.ts';

const range = { startTime: t0, endTime: t0 + 10 * minuteMs };
const minutes = Array.from({ length: 10 }, (_, minute) => t0 + minute * minuteMs);
/** What the receivers say of their points, wherever a template groups or filters by it. */
const attributes = {
  ...{ state: 'used', direction: 'receive', device: 'eth0', mountpoint: '/', status: 'running', operation: 'ins' },
  ...{ source: 'heap_hit', type: 'requested', replication_client: '10.0.0.2', db: '0' },
  ...{ group: 'billing', topic: 'orders', partition: '0', pipe_id: '11111111-2222-4333-8444-555555555555' },
};
/** Of one metric, where its tiles look for more than the common ones. */
const special: Readonly<Record<string, object>> = { pipe_state: { state: 'Failed' } };
const resource = {
  ...{ 'host.name': 'h1', 'k8s.pod.name': 'cart-1', 'k8s.node.name': 'n1', 'k8s.container.name': 'cart' },
  ...{ 'k8s.deployment.name': 'cart', 'postgresql.database.name': 'shop' },
};

const full: TemplateSources = { log: 'a'.repeat(24), trace: 'b'.repeat(24), metric: 'c'.repeat(24) };
const items = dashboardTemplates
  .flatMap((template) => dashboardOf(template, full).tiles ?? [])
  .flatMap(({ config }): readonly object[] =>
    config && 'select' in config && Array.isArray(config.select) ? config.select : [],
  )
  .filter((item): item is SelectItem => 'metricName' in item);

function pointsOf(type: SelectItem['metricType']) {
  const names = new Set(items.filter(({ metricType }) => metricType === type).map(({ metricName }) => metricName));
  return [...names].flatMap((MetricName) =>
    minutes.map((TimeUnixMs, index) => ({
      ...{
        MetricName,
        ServiceName: 'collector',
        Attributes: { ...attributes, ...special[String(MetricName)] },
        ResourceAttributes: resource,
      },
      ...{ StartTimeUnixMs: t0 - minuteMs, TimeUnixMs, Value: 10 * (index + 1) },
    })),
  );
}

let api: ChartApi;
let sources: TemplateSources;

beforeAll(async () => {
  const engine = await startStore();
  await insertRows(engine.client, 'otel.otel_metrics_gauge', pointsOf('gauge'));
  const counted = { AggregationTemporality: 2, IsMonotonic: true };
  await insertRows(
    engine.client,
    'otel.otel_metrics_sum',
    pointsOf('sum').map((point) => ({ ...point, ...counted })),
  );
  await insertRows(
    engine.client,
    'otel.otel_logs',
    minutes.map((TimestampMs) => ({ TimestampMs, ServiceName: 'cart', SeverityText: 'error', Body: 'no' })),
  );
  await insertRows(
    engine.client,
    'otel.otel_traces',
    ['Server', 'Client'].flatMap((SpanKind) =>
      minutes.map((TimestampMs) => ({
        ...{ TimestampMs, ServiceName: 'cart', SpanName: 'GET /', SpanKind, StatusCode: 'Error', Duration: 5e6 },
      })),
    ),
  );
  api = await ChartApi.over({ runner: engine.queryRunner, schemas: engine.tableSchemas });
  sources = {
    log: await api.sourceId('log'),
    trace: await api.sourceId('trace'),
    metric: await api.sourceId('metric'),
  };
});

describe.each(dashboardTemplates)('the template $name', (template) => {
  it('is a dashboard that the API accepts, and each of its tiles shows data', async () => {
    const dashboard = dashboardOf(template, sources);
    expect(bodyCheck(CreateDashboardSchema)(dashboard)).toEqual([]);
    const tiles = (dashboard.tiles ?? []).map((tile, index) => ({ ref: String(index), tile }));
    expect(tiles.length).toBe(template.tiles.length);
    const answer = await api.send('POST', '/charts/tiles', { body: { ...range, granularity: '1m', tiles } });
    expect(answer.status).toBe(200);
    const { data } = answer.json as { data: TileAnswer[] };
    for (const [index, { error, series = [] }] of data.entries()) {
      const name = template.tiles[index]?.name;
      expect([name, error]).toEqual([name, undefined]);
      const values = series.flatMap(({ points }) => points.map(([, value]) => value));
      expect([name, values.some((value) => value !== null && value > 0)]).toEqual([name, true]);
      for (const { group } of series) expect([name, group.every((value) => value !== '')]).toEqual([name, true]);
    }
  });

  it('needs the sources that it says', () => {
    expect(new Set(template.tiles.map(({ source }) => source))).toEqual(new Set(template.needs));
    expect(dashboardOf(template, {}).tiles).toEqual([]);
  });
});
