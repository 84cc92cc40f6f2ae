import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ChartQuery } from '../../src/query/chart-query.ts';
import { testChart, testLogs, testMetrics } from '../../src/query/testing.ts';
import { planReads } from '../../src/resources/charts/reading/plan-reads.ts';
import type { PreparedScan } from '../../src/resources/charts/reading/prepared-scan.ts';
import type { Mechanism } from '../../src/resources/charts/reading/read-plan.ts';
import { testScan } from '../../src/resources/charts/reading/testing.ts';
import { statementText } from './statement-text.ts';

const projections = new Set(['minute_counts', 'hour_counts']);
/** As the program's own tables are: with counts made beforehand, and a known number of rows. */
const logs = { ...testLogs, table: { ...testLogs.table, projections, rows: 100_000 } };
const average = { aggregate: 'avg', field: 'LogAttributes.n' } as const;
const short = { range: { startMs: 1_736_942_400_000, endMs: 1_736_942_700_000 } };

const log = (series: Parameters<typeof testChart>[0], rest: Partial<ChartQuery> = {}) =>
  testScan(testChart(series, rest), logs);
const byService = { groupBy: ['ServiceName'] };

interface Case {
  mechanism: Mechanism;
  scans: PreparedScan[];
  isWide?: boolean;
}

const cases: Record<string, Case> = {
  single: { mechanism: 'single', scans: [log([average], byService)] },
  'single-count-projection': { mechanism: 'single', scans: [log([{}], byService)] },
  'single-top-n': { mechanism: 'single', scans: [log([average], byService)], isWide: true },
  'shared-series': {
    mechanism: 'sharedSeries',
    scans: [log([average]), log([{ ...average, where: 'SeverityText:error' }])],
  },
  'grouping-sets': { mechanism: 'groupingSets', scans: [log([average]), log([average], byService)] },
  'predicate-counting': {
    mechanism: 'predicateCounting',
    scans: Array.from({ length: 9 }, (_, index) => log([{ where: `LogAttributes.n:${index}` }], short)),
  },
};

/** One statement for each way to read charts, as it runs: `npx vitest run --project system test/golden -u` writes changes. */
describe('golden SQL: the mechanisms of read plans', () => {
  it.each(Object.entries(cases))('%s', async (name, { mechanism, scans, isWide = false }) => {
    const [plan, ...more] = planReads(scans, { isWide: () => isWide });
    if (!plan) throw new Error('nothing was planned');
    expect([plan.mechanism, more]).toEqual([mechanism, []]);
    await expect(statementText(plan.statement())).toMatchFileSnapshot(
      join(import.meta.dirname, 'read-plans', `${name}.golden.sql`),
    );
  });

  it('careful', async () => {
    const metric = { name: 'requests', kind: 'sum' as const };
    const [plan] = planReads([testScan(testChart([{ aggregate: 'increase', metric }]), testMetrics)], {
      isWide: () => false,
    });
    const careful = plan?.statement().careful?.();
    await expect(careful && statementText(careful)).toMatchFileSnapshot(
      join(import.meta.dirname, 'read-plans', 'careful.golden.sql'),
    );
  });
});
