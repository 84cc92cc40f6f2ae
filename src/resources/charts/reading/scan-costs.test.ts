import { describe, expect, it } from 'vitest';
import type { ChartQuery } from '../../../query/chart-query.ts';
import { planChart } from '../../../query/compile-chart.ts';
import { testChart, testLogs } from '../../../query/testing.ts';
import { costOf, scanCost } from './scan-costs.ts';

const dayMs = 86_400_000;
const range = { startMs: 1_736_942_400_000, endMs: 1_736_942_400_000 + dayMs };
const average = { aggregate: 'avg', field: 'SeverityNumber' } as const;
const ofAttribute = { aggregate: 'avg', field: 'LogAttributes.n' } as const;

function scanOf(rows: number, series: Parameters<typeof testChart>[0], rest: Partial<ChartQuery> = {}) {
  const schema = { ...testLogs, table: { ...testLogs.table, rows } };
  const query = testChart(series, { range, ...rest });
  return { members: [{ plan: planChart(query, schema), schema, scan: { query } }], series: query.series };
}

type Scan = ReturnType<typeof scanOf>;
const together = (scans: readonly Scan[]): number => costOf(scans.map(scanCost));
const apart = (scans: readonly Scan[]): number => scans.reduce((sum, scan) => sum + together([scan]), 0);
const isCheaperTogether = (...scans: readonly Scan[]): boolean => together(scans) < apart(scans);

describe('what reading several groupings of the same rows in one statement costs', () => {
  const byService = { groupBy: ['ServiceName'] };
  const byLevel = { groupBy: ['SeverityText'] };

  it('few rows: less than a statement each', () => {
    expect(isCheaperTogether(scanOf(1e5, [average], byService), scanOf(1e5, [average], byLevel))).toBe(true);
    expect(isCheaperTogether(scanOf(1e5, [{}]), scanOf(1e5, [average], byLevel))).toBe(true);
  });

  it('many rows: more, as every series is kept in every grouping', () => {
    const median = { aggregate: 'quantile', field: 'SeverityNumber' } as const;
    expect(isCheaperTogether(scanOf(1e9, [average], byService), scanOf(1e9, [median], byLevel))).toBe(false);
  });

  it('many rows with attributes out of their maps: less, as reading them is the most of it', () => {
    expect(isCheaperTogether(scanOf(1e9, [ofAttribute], byService), scanOf(1e9, [ofAttribute], byLevel))).toBe(true);
  });

  it('a table that does not know how many rows it has is taken for a large one', () => {
    const { rows: _rows, ...table } = { ...testLogs.table, rows: 0 };
    const scans = [byService, byLevel].map((rest, index) => {
      const scan = scanOf(1, [index === 0 ? average : { aggregate: 'quantile', field: 'SeverityNumber' }], rest);
      const members = scan.members.map((member) => ({ ...member, schema: { ...testLogs, table } }));
      return { ...scan, members };
    });
    expect(costOf(scans.map(scanCost))).toBeGreaterThan(scans.reduce((sum, scan) => sum + costOf([scanCost(scan)]), 0));
  });
});
