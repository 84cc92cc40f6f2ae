import { describe, expect, it } from 'vitest';
import type { Service } from '../../../../src/contract/services.ts';
import type { TraceSource } from '../../../../src/contract/source.ts';
import type { TileAnswer } from '../../../../src/contract/tile-query.ts';
import { activitiesOf, activityCharts, activityText } from './service-activity.ts';

const figures = { requests: 100, rate: 2, errors: 1, errorShare: 0.01, p50Ms: 5, p95Ms: 20, p99Ms: 40 };
const service = (name: string, basis: Service['basis'], requests = 1): Service => ({
  ...{ name, basis, ...figures, requests },
  previous: null,
});
// Only what the charts read.
const source = {
  id: 'a'.repeat(24),
  serviceNameExpression: 'ServiceName',
  spanKindExpression: 'SpanKind',
  parentSpanIdExpression: 'ParentSpanId',
  statusCodeExpression: 'StatusCode',
} as TraceSource;

describe('activity of services', () => {
  it('asks once for each basis, for the services that have it', () => {
    const charts = activityCharts(source, [
      service('web', 'entry'),
      service("o'clock", 'all'),
      service('cart', 'entry'),
    ]);
    expect(charts.map(({ name }) => name)).toEqual(['entry', 'all']);
    expect(JSON.stringify(charts[0]?.config)).toContain("ServiceName IN ('web', 'cart') AND SpanKind IN");
    expect(charts[1]?.config).toMatchObject({
      seriesLimit: 1,
      select: [{ where: String.raw`ServiceName IN ('o\'clock')` }, { alias: 'errors' }],
    });
  });

  it('asks for the fifty busiest services with names, and for nothing where there are none', () => {
    const many = Array.from({ length: 60 }, (_, index) => service(`s${index}`, 'entry', index));
    const [chart] = activityCharts(source, [...many, service('', 'entry', 1000)]);
    expect(chart?.config).toMatchObject({ seriesLimit: 50 });
    expect(JSON.stringify(chart)).not.toMatch(/'s9'|''/);
    expect(activityCharts(source, [])).toEqual([]);
  });

  it('is found by service, and said in words', () => {
    const series = [
      {
        name: 'requests',
        group: ['web'],
        select: 0,
        points: [[0, 4] as [number, number], [60, 2] as [number, number]],
      },
      { name: 'errors', group: ['web'], select: 1, points: [[0, 1] as [number, number]] },
      { name: 'requests', group: ['cart'], select: 0, points: [[0, 7] as [number, number]] },
    ];
    const activities = activitiesOf([
      { ref: 'entry', displayType: 'line', series } as TileAnswer,
      { ref: 'root' } as TileAnswer,
    ]);
    expect([...activities.keys()]).toEqual(['web', 'cart']);
    expect([...activities.values()].map(activityText)).toEqual([
      'Requests per interval: at most 4, last 2; errors: at most 1, last 0',
      'Requests per interval: at most 7, last 7; no errors',
    ]);
  });
});
