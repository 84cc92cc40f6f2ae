import { describe, expect, it } from 'vitest';
import type { Tile } from '../../../../src/contract/tile.ts';
import { eventsOf, type Narrowing, patternsOf } from './events-of.ts';

const window = { startMs: 1000, endMs: 2000 };
const nothing: Narrowing = { filters: [], condition: undefined, variables: [] };
const line = (select: object, groupBy?: string) =>
  ({ config: { displayType: 'line', sourceId: 's1', select: [select], ...(groupBy && { groupBy }) } }) as Pick<
    Tile,
    'config'
  >;

describe('the events behind a value', () => {
  it('are those of its series, group and window', () => {
    const tile = line({ aggFn: 'count', where: 'SeverityText:error' }, "ServiceName, LogAttributes['http.route']");
    expect(eventsOf(tile, { select: 0, group: ['cart', '/pay "now"'], window }, nothing)).toEqual({
      ...{ source: 's1', lang: 'lucene', from: '1000', to: '2000' },
      where: '(SeverityText:error) ServiceName:"cart" LogAttributes.http.route:"/pay \\"now\\""',
    });
  });

  it('keep the language of the filter, and take the one that a group needs', () => {
    const sql = line({ aggFn: 'count', where: 'Duration > 5', whereLanguage: 'sql' }, 'ServiceName');
    expect(eventsOf(sql, { select: 0, group: ["o'clock"], window }, nothing)).toMatchObject({
      ...{ lang: 'sql', where: "(Duration > 5) AND ServiceName = 'o\\'clock'" },
    });
    const called = line({ aggFn: 'count' }, 'lower(ServiceName)');
    expect(eventsOf(called, { select: 0, group: ['cart'], window }, nothing)).toMatchObject({
      ...{ lang: 'sql', where: "lower(ServiceName) = 'cart'" },
    });
  });

  it('are narrowed as the dashboard is', () => {
    const filters = [
      { expression: 'Env', values: ['dev', ''] },
      { expression: 'Other', values: ['x'], sourceId: 's2' },
    ];
    const condition = { where: 'a OR b', language: 'lucene' as const };
    const found = eventsOf(
      line({ aggFn: 'count' }, 'ServiceName'),
      { select: 0, group: [''], window },
      { filters, condition, variables: [] },
    );
    expect(found?.where).toBe('(a OR b) -ServiceName:* (Env:"dev" OR -Env:*)');
  });

  it('has the values of variables', () => {
    const variables = [{ name: 'svc', values: ["it's"] }];
    const tile = line({ aggFn: 'count', where: 'ServiceName:"$svc"' }, 'Env');
    const found = eventsOf(tile, { select: 0, group: ['dev'], window }, { ...nothing, variables });
    expect(found?.where).toBe('(ServiceName:"it\'s") Env:"dev"');
  });

  it.each([
    ['a ratio', { config: { ...line({ aggFn: 'count' }).config, asRatio: true } }],
    ['a formula', line({ aggFn: 'count' }), 1],
    ['filters in two languages', line({ aggFn: 'count', where: 'x = 1', whereLanguage: 'sql' })],
    ['a group that Lucene can’t name, with a filter in Lucene', line({ aggFn: 'count', where: 'x' }, 'lower(a)')],
    ['markdown', { config: { displayType: 'markdown', markdown: '' } }],
  ])('cannot be said for %s', (_, tile, select = 0) => {
    const condition = { where: 'error', language: 'lucene' as const };
    const group = 'groupBy' in (tile.config ?? {}) ? ['x'] : [];
    expect(
      eventsOf(tile as Pick<Tile, 'config'>, { select, group, window }, { filters: [], condition, variables: [] }),
    ).toBeUndefined();
  });
});

describe('the patterns of a tile in the search', () => {
  const tile = (config: object) => ({ config: { displayType: 'event_patterns', sourceId: 's1', ...config } }) as never;

  it('are those of its filter, its dashboard and its range', () => {
    const condition = { where: 'refused', language: 'lucene' as const };
    expect(patternsOf(tile({ where: 'SeverityText:error' }), window, { ...nothing, condition })).toEqual({
      ...{ source: 's1', lang: 'lucene', from: '1000', to: '2000' },
      where: '(SeverityText:error) (refused)',
    });
    expect(patternsOf(tile({ where: 'n > 5', whereLanguage: 'sql' }), window, nothing)).toMatchObject({
      ...{ lang: 'sql', where: 'n > 5' },
    });
  });

  it('are none of another text, or of another tile', () => {
    expect(patternsOf(tile({ select: 'upper(Body)' }), window, nothing)).toBeUndefined();
    expect(patternsOf(line({ aggFn: 'count' }), window, nothing)).toBeUndefined();
  });
});
