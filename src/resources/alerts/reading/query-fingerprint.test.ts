import { describe, expect, it } from 'vitest';
import { tileOf } from '../../../../test/support/alert-fixtures.ts';
import type { Tile } from '../../../contract/tile.ts';
import { tileToChart } from '../../charts/request/tile-to-chart.ts';
import { queryFingerprint } from './query-fingerprint.ts';

const sourceId = 'a00000000000000000000001';
const series = { sourceId, aggFn: 'count' as const, where: 'SeverityText:error', groupBy: ['ServiceName'] };

/** Unknown keys are kept in a series. */
const coloured = { ...series, color: '#f00' };

function fingerprintOf(parts: Partial<Tile>): string {
  const { series: _series, ...placed } = tileOf('t1');
  const chart = tileToChart({ ...placed, ...parts });
  if (chart.kind !== 'chart') throw new Error(chart.reason);
  return queryFingerprint(chart.chart);
}

const before = fingerprintOf({ series: [series] });

describe('decisions A3: the fingerprint of a tile', () => {
  it.each<[string, Partial<Tile>]>([
    ['name', { name: 'Another title', series: [series] }],
    ['place and size', { x: 12, y: 40, w: 24, h: 4, series: [series] }],
    ['number format', { series: [{ ...series, numberFormat: { output: 'byte' } }] }],
    ['alias', { series: [{ ...series, alias: 'errors' }] }],
    ['colours', { series: [coloured] }],
    ['named default language', { series: [{ ...series, whereLanguage: 'lucene' }] }],
    ['spaces around its texts', { series: [{ ...series, where: ' SeverityText:error ', groupBy: ['ServiceName '] }] }],
    [
      'form',
      {
        config: {
          displayType: 'line',
          sourceId,
          select: [{ aggFn: 'count', where: 'SeverityText:error' }],
          groupBy: 'ServiceName',
        },
      },
    ],
  ])('U-32: does not depend on its %s', (_, changed) => {
    expect(fingerprintOf(changed)).toBe(before);
  });

  it.each<[string, object]>([
    ['source', { sourceId: 'a00000000000000000000002' }],
    ['condition', { where: 'SeverityText:warn' }],
    ['language of the condition', { whereLanguage: 'sql' }],
    ['aggregate', { aggFn: 'sum', field: 'Duration' }],
    ['groups', { groupBy: ['ServiceName', 'SeverityText'] }],
    ['absence of groups', { groupBy: [] }],
    ['metric', { metricName: 'cpu', metricDataType: 'gauge' }],
  ])('changes with its %s', (_, change) => {
    expect(fingerprintOf({ series: [{ ...series, ...change }] })).not.toBe(before);
  });

  it.each([
    ['field', { field: 'a' }, { field: 'b' }],
    ['level', { level: 0.5 }, { level: 0.9 }],
    ['change of a gauge', { metricDataType: 'gauge' }, { metricDataType: 'gauge', periodAggFn: 'delta' }],
    ['kind of metric', { metricDataType: 'gauge' }, { metricDataType: 'sum' }],
  ] as const)('changes with the %s of a series', (_, one, other) => {
    const common = { ...series, aggFn: 'quantile' as const };
    expect(fingerprintOf({ series: [{ ...common, ...one }] })).not.toBe(
      fingerprintOf({ series: [{ ...common, ...other }] }),
    );
  });

  it('changes with one more series, and when the two become a ratio', () => {
    const two = [series, { ...series, where: '' }];
    const all = [before, fingerprintOf({ series: two }), fingerprintOf({ series: two, asRatio: true })];
    expect(new Set(all).size).toBe(3);
  });

  it('stays over releases: a changed one would forget what is firing', () => {
    expect(before).toBe('967149236034f9231d2f90790c92cf93');
  });
});
