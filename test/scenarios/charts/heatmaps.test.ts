import { beforeAll, describe, expect, it } from 'vitest';
import type { TileAnswer } from '../../../src/contract/tile-query.ts';
import { ChartApi, hourMs, minuteMs, otherTenant, t0 } from './chart-api.ts';
import { insertRows, startStore } from './telemetry-rows.ts';

let api: ChartApi;
let traces: string;

const span = (minute: number, ServiceName: string, Duration: number) => ({
  TimestampMs: t0 + minute * minuteMs,
  ServiceName,
  SpanName: 'GET /',
  Duration,
});

beforeAll(async () => {
  const engine = await startStore();
  await insertRows(engine.client, 'otel.otel_traces', [
    span(-1, 'api', 7),
    span(5, 'api', 11),
    span(6, 'api', 12),
    span(65, 'api', 30),
    span(66, 'web', 45),
    span(179, 'web', 49),
  ]);
  api = await ChartApi.over({ runner: engine.queryRunner, schemas: engine.tableSchemas });
  traces = await api.sourceId('trace');
});

const heatmap = (change: object = {}, item: object = {}) => ({
  config: { displayType: 'heatmap', sourceId: traces, select: [{ valueExpression: 'Duration', ...item }], ...change },
});

async function only(tile: unknown, change: object = {}): Promise<TileAnswer> {
  const body = { startTime: t0, endTime: t0 + 3 * hourMs, granularity: '1h', tiles: [{ ref: 'a', tile }], ...change };
  const answer = await api.send('POST', '/charts/tiles', { body });
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.body}`);
  const [found] = (answer.json as { data: TileAnswer[] }).data;
  if (!found) throw new Error('no answer');
  return found;
}

describe('heatmap tiles', () => {
  it('count the events by bucket and value, with the unit of what is distributed', async () => {
    expect(await only(heatmap())).toEqual({
      ref: 'a',
      displayType: 'heatmap',
      granularity: '1h',
      granularityMs: hourMs,
      heatmap: {
        scale: 'linear',
        edges: Array.from({ length: 40 }, (_, index) => 11 + index).slice(0, 40),
        cells: [
          [t0, 0, 1],
          [t0, 1, 1],
          [t0 + hourMs, 19, 1],
          [t0 + hourMs, 34, 1],
          [t0 + 2 * hourMs, 38, 1],
        ],
        amount: 'count()',
        numberFormat: { output: 'duration', factor: 1e-9 },
      },
      meta: {
        rowsRead: expect.any(Number),
        bytesRead: expect.any(Number),
        elapsedMs: expect.any(Number),
        cache: 'off',
        exact: true,
        truncated: false,
      },
    });
  });

  it('apply the filter of the tile, of the dashboard and the values of variables', async () => {
    const counted = async (tile: unknown, change: object = {}) =>
      (await only(tile, change)).heatmap?.cells.reduce((sum, [, , amount]) => sum + (amount ?? 0), 0);
    expect(await counted(heatmap({ where: 'ServiceName:api' }))).toBe(3);
    expect(await counted(heatmap({ where: "ServiceName = 'api'", whereLanguage: 'sql' }))).toBe(3);
    expect(await counted(heatmap(), { where: 'ServiceName:web' })).toBe(2);
    const filters = [{ sourceId: traces, expression: 'ServiceName', values: ['web'] }];
    expect(await counted(heatmap(), { filters })).toBe(2);
    expect(await counted(heatmap(), { filters: [{ ...filters[0], sourceId: 'a'.repeat(24) }] })).toBe(5);
    const variables = [{ name: 'service', type: 'text', values: ['web'] }];
    expect(await counted(heatmap({ where: 'ServiceName:$service' }), { variables })).toBe(2);
  });

  it('show another amount and scale where the tile says so', async () => {
    const { heatmap: found } = await only(
      heatmap({ numberFormat: { output: 'number' } }, { countExpression: 'max(Duration)', heatmapScaleType: 'log' }),
    );
    expect(found).toMatchObject({ scale: 'log', amount: 'max(Duration)', numberFormat: { output: 'number' } });
    expect(found?.cells.map(([, , amount]) => amount)).toEqual([11, 12, 30, 45, 49]);
  });

  it('have at most 240 buckets, whatever the granularity', async () => {
    const answer = await only(heatmap(), { granularity: '1m', endTime: t0 + 30 * hourMs });
    expect(answer.granularity).toBe('8m');
    expect((await only(heatmap(), { granularity: '1s', endTime: t0 + hourMs })).granularity).toBe('15s');
  });

  it('explain their statement', async () => {
    const { meta } = await only(heatmap(), { explain: true });
    expect(meta?.explain).toEqual([expect.objectContaining({ source: 'Traces', cachedBuckets: 0 })]);
    expect(meta?.explain?.[0]?.statements).toHaveLength(1);
  });

  it.each<[object, object, RegExp]>([
    [{}, { valueExpression: 'nope(' }, /^config\.select\.0\.valueExpression/],
    [{}, { countExpression: 'median(Duration)' }, /^config\.select\.0\.countExpression/],
    [{ where: '(' }, {}, /^config\.where/],
  ])('problems name their place: %o %o', async (change, item, path) => {
    expect((await only(heatmap(change, item))).error).toMatchObject({
      code: 'query_invalid',
      path: expect.stringMatching(path),
    });
  });

  it('warn of an attribute that no event has', async () => {
    const { meta } = await only(heatmap({}, { valueExpression: 'SpanAttributes.durasion' }));
    expect(meta?.warnings).toEqual([expect.objectContaining({ path: 'config.select.0.valueExpression' })]);
  });

  it('another tenant’s source looks like a missing one (decisions F2)', async () => {
    const foreign = await api.sourceId('trace', otherTenant);
    expect((await only(heatmap({ sourceId: foreign }))).error).toMatchObject({ code: 'source_not_found' });
  });
});
