import { describe, expect, it } from 'vitest';
import { explainChart } from './explain-chart.ts';
import { testChart, testLogs, testMetrics } from './testing.ts';

const series = { aggregate: 'count' as const, where: 'k8s.pod.name:web-1', whereLanguage: 'lucene' as const };

describe('explaining a chart', () => {
  const query = { ...testChart([series]), groupBy: ['ServiceName'] };

  it('shows the tree of each text after each pass, and the plan after each pass', () => {
    const steps = explainChart(query, testLogs);
    expect(steps.map(({ title }) => title)).toEqual([
      'series.0.where, parsed: k8s.pod.name:web-1',
      'series.0.where, after resolveFields',
      'series.0.where, after deriveSeverity',
      'series.0.where, after promoteColumns',
      'series.0.where, after useItemIndex',
      'groupBy.0, parsed: ServiceName',
      'groupBy.0, after resolveFields',
      'groupBy.0, after deriveSeverity',
      'groupBy.0, after promoteColumns',
      'groupBy.0, after useItemIndex',
      'plan',
      'plan, after useCountProjections',
      'plan, after groupCheaply',
      'plan, after foldBuckets',
    ]);
    const textOf = (title: string) => steps.find((step) => step.title === title)?.text;
    expect(textOf('series.0.where, after promoteColumns')).toContain('__hdx_materialized_k8s.pod.name');
    expect(textOf('groupBy.0, after useItemIndex')).toBe('unchanged');
  });

  it('of metrics too', () => {
    const metric = { ...series, where: '', metric: { name: 'cpu', kind: 'gauge' as const }, aggregate: 'max' as const };
    const steps = explainChart(testChart([metric]), testMetrics);
    expect(steps[0]?.title).toBe('plan');
  });
});
