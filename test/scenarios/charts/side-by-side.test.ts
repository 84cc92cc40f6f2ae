import { beforeAll, describe, expect, it } from 'vitest';
import { ChartApi, hourMs, t0 } from './chart-api.ts';
import { startStore } from './telemetry-rows.ts';

let api: ChartApi;
let sources: string[];

/** Rows of each service, one a second. */
const logsOf = { a: 5, b: 4, c: 1 };
const spansOf = { a: 1, c: 9, d: 3 };

beforeAll(async () => {
  const { client, queryRunner, tableSchemas } = await startStore();
  const insert = (table: string, counts: Record<string, number>) => {
    const services = Object.entries(counts).flatMap(([name, rows]) => Array<string>(rows).fill(`'${name}'`));
    return client.command(
      `INSERT INTO otel.${table} (Timestamp, ServiceName)
      SELECT fromUnixTimestamp64Milli(${t0} + number * 1000), [${services.join(', ')}][number + 1] FROM numbers(${services.length})`,
      { timeoutMs: 30_000 },
    );
  };
  await insert('otel_logs', logsOf);
  await insert('otel_traces', spansOf);
  api = await ChartApi.over({ runner: queryRunner, schemas: tableSchemas });
  sources = [await api.sourceId('log'), await api.sourceId('trace')];
});

const ask = (change: object) =>
  api.chart({
    startTime: t0,
    endTime: t0 + hourMs,
    granularity: '1h',
    series: sources.map((sourceId) => ({ sourceId, aggFn: 'count', where: '', groupBy: ['ServiceName'] })),
    ...change,
  });

describe('series of several sources: the largest groups of all of them', () => {
  it('decisions C5: a group that is small in one source may be the largest, and is whole', async () => {
    const { data, meta } = await ask({ seriesLimit: 1, seriesReturnType: 'ratio' });
    expect(data).toEqual([
      { ts_bucket: t0, group: ['c'], 'series_0.data': 1, 'series_1.data': 9, ratio: expect.closeTo(1 / 9, 12) },
    ]);
    expect(meta).toMatchObject({ truncated: true, groupsTotal: 4, exact: true, approximate: false });
  });

  it('where the sources hold more groups than can be compared, the answer says that it is not exact', async () => {
    const manyGroups = { granularity: '1s', startTime: t0, endTime: t0 + 10_000_000 };
    const series = sources.map((sourceId) => ({ sourceId, aggFn: 'count', where: '', groupBy: ['Timestamp'] }));
    const { meta } = await ask({ ...manyGroups, series, seriesLimit: 1 });
    expect(meta).toMatchObject({ truncated: true, exact: false, approximate: true });
    const [alone] = series;
    expect((await ask({ ...manyGroups, series: [alone], seriesLimit: 1 })).meta).toMatchObject({ exact: true });
  });
});
