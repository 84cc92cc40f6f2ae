import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChartQuery } from '../../../query/chart-query.ts';
import { testChart, testLogs, testMetrics } from '../../../query/testing.ts';
import { planReads } from './plan-reads.ts';
import type { PreparedScan } from './prepared-scan.ts';
import { testScan } from './testing.ts';

const narrow = { isWide: () => false };
const wide = { isWide: () => true };
const average = { aggregate: 'avg', field: 'SeverityNumber' } as const;
const logs = { ...testLogs, table: { ...testLogs.table, rows: 100_000 } };
const byService = { groupBy: ['ServiceName'] };

const log = (series: Parameters<typeof testChart>[0], rest: Partial<ChartQuery> = {}) =>
  testScan(testChart(series, rest), logs);
const gauge = (name: string) =>
  testScan(testChart([{ aggregate: 'avg', metric: { name, kind: 'gauge' } }]), testMetrics);
const minutes = (count: number) => ({
  range: { startMs: 1_736_942_400_000, endMs: 1_736_942_400_000 + count * 60_000 },
});

/** Mechanism and number of scans of each plan. */
function planned(scans: readonly PreparedScan[], knowledge = narrow): [string, number][] {
  return planReads(scans, knowledge).map((plan) => [plan.mechanism, plan.scans.length]);
}

describe('how scans are read', () => {
  it('a single scan by a separate statement', () => {
    expect(planned([log([average])])).toEqual([['single', 1]]);
  });

  it('scans that ask the same are read once', () => {
    expect(planned([log([average]), log([average]), log([average])])).toEqual([['single', 3]]);
    expect(planned([log([average], byService), log([average], byService)], wide)).toEqual([['single', 2]]);
  });

  it('scans that differ in their series alone share them', () => {
    const errors = log([{ ...average, where: 'SeverityText:error' }]);
    expect(planned([log([average]), errors, log([{}])])).toEqual([['sharedSeries', 3]]);
    expect(planned([gauge('cpu'), gauge('memory')])).toEqual([
      ['single', 1],
      ['single', 1],
    ]);
  });

  it('other groupings of few rows are grouping sets', () => {
    expect(planned([log([average]), log([average], byService)])).toEqual([['groupingSets', 2]]);
  });

  it('other filters, ranges and sources have nothing in common', () => {
    const filtered = { conditions: [{ where: 'ServiceName:a', whereLanguage: 'lucene' as const, path: 'where' }] };
    expect(
      planned([log([average]), log([average], filtered), log([average], minutes(30))]).map(([name]) => name),
    ).toEqual(['single', 'single', 'single']);
  });

  it('counts by many filters over a short range are decided filter by filter, here', () => {
    const count = (index: number) => log([{ where: `LogAttributes.n:${index}` }], minutes(5));
    expect(planned(Array.from({ length: 8 }, (_, index) => count(index)))).toEqual([['sharedSeries', 8]]);
    expect(planned(Array.from({ length: 9 }, (_, index) => count(index)))).toEqual([['predicateCounting', 9]]);
  });

  it('a text search is not combined over a long range, where an index answers it', () => {
    const scans = [log([{ where: 'refused' }], minutes(60)), log([average], minutes(60))];
    expect(planned(scans)).toEqual([
      ['single', 1],
      ['single', 1],
    ]);
    expect(planReads(scans, narrow)[0]?.reason).toContain('index');
  });

  it('what has more groups than it shows is read alone, with the limit', () => {
    const scans = [log([average], byService), log([{}], byService)];
    expect(planned(scans)).toEqual([['sharedSeries', 2]]);
    const plans = planReads(scans, wide);
    expect(plans.map(({ mechanism }) => mechanism)).toEqual(['single', 'single']);
    for (const plan of plans) expect(plan.statement().techniques).toContain('topNLimit');
  });

  it('the largest groups of each bucket are found by the engine', () => {
    const [plan] = planReads([log([average], { ...byService, groupsPerBucket: true })], narrow);
    expect(plan?.statement().techniques).toContain('topNLimit');
  });

  it('every scan is in exactly one plan, whatever is requested together', () => {
    const scan = fc
      .record({
        aggregate: fc.constantFrom({ aggregate: 'count' as const }, average),
        where: fc.constantFrom('', 'SeverityText:error', 'refused', 'LogAttributes.n:>5'),
        groupBy: fc.constantFrom([], ['ServiceName'], ['SeverityText', 'ServiceName']),
        minutes: fc.constantFrom(5, 60),
        granularityMs: fc.constantFrom(60_000, 300_000),
      })
      .map(({ aggregate, where, groupBy, minutes: length, granularityMs }) =>
        log([{ ...aggregate, where }], { groupBy, granularityMs, ...minutes(length) }),
      );
    fc.assert(
      fc.property(fc.array(scan, { maxLength: 30 }), fc.boolean(), (scans, isWide) => {
        const plans = planReads(scans, { isWide: () => isWide });
        const answered = plans.flatMap((plan) => plan.scans);
        expect(answered).toHaveLength(scans.length);
        expect(new Set(answered)).toEqual(new Set(scans));
        for (const plan of plans) expect(plan.reason).not.toBe('');
      }),
    );
  });
});
