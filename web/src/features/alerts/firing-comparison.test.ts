import { expect, it } from 'vitest';
import type { Tile } from '../../../../src/contract/tile.ts';
import { firingComparison } from './firing-comparison.ts';

const window = { windowStart: '2026-11-29T12:00:00.000Z', windowEnd: '2026-11-29T12:05:00.000Z' };
const endMs = Date.parse(window.windowEnd);
const line = {
  config: {
    displayType: 'line',
    sourceId: 's',
    select: [{ aggFn: 'count' }, { aggFn: 'count', where: 'SeverityText:error' }],
    groupBy: 'ServiceName',
  },
} as Pick<Tile, 'config'>;

it('compares the group and window that fired with the events of the evaluated series in the hour up to then', () => {
  expect(firingComparison(line, window, [{ key: 'ServiceName', value: 'cart' }])).toEqual({
    ...{ source: 's', lang: 'lucene', where: 'SeverityText:error', view: 'differences' },
    ...{ from: String(endMs - 3_600_000), to: String(endMs) },
    ...{ selected: '(SeverityText:error) ServiceName:"cart"', selectedLang: 'lucene' },
    ...{ selectedFrom: String(endMs - 300_000), selectedTo: String(endMs) },
  });
});

it('cannot compare what is made of several series', () => {
  const ratio = { config: { ...line.config, asRatio: true } } as Pick<Tile, 'config'>;
  expect(firingComparison(ratio, window, [{ key: 'ServiceName', value: 'cart' }])).toBeUndefined();
});
