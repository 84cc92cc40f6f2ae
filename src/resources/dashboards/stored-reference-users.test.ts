import { describe, expect, it } from 'vitest';
import { sourceOf } from '../../../test/support/source-record.ts';
import type { TileSeries } from '../../contract/series.ts';
import { FakeSavedSearchRepository } from '../saved-searches/fake-saved-search-repository.ts';
import { FakeSourceRepository } from '../sources/fake-source-repository.ts';
import type { Dashboard } from './dashboard.ts';
import { FakeDashboardRepository } from './fake-dashboard-repository.ts';
import { StoredReferenceUsers } from './stored-reference-users.ts';

const id = 'a'.repeat(24);
const other = 'b'.repeat(24);
const place = { id: 't', x: 0, y: 0, w: 8, h: 10 };
const count: TileSeries = { sourceId: other, aggFn: 'count', where: '', groupBy: [] };
const filter = {
  id: 'f',
  type: 'QUERY_EXPRESSION',
  name: 'Service',
  expression: 'ServiceName',
  sourceId: other,
} as const;
const toSearch = { type: 'search', target: { mode: 'id', id } } as const;
const select = [{ aggFn: 'count' } as const];
const rawSql = { displayType: 'line', configType: 'sql', connectionId: id, sqlTemplate: 'SELECT 1' } as const;

async function usersIn(parts: Partial<Dashboard>, kind: 'source' | 'connection' = 'source'): Promise<string[]> {
  const dashboards = new FakeDashboardRepository();
  const dashboard = { id: 'd1', name: 'Shop', tags: [], tiles: [], ...parts };
  await dashboards.transaction((inside) => inside.insert('t', dashboard, { atMs: 0, by: 'u', summary: 'Created' }));
  const stores = { dashboards, savedSearches: new FakeSavedSearchRepository(), sources: new FakeSourceRepository() };
  const users = await new StoredReferenceUsers(stores).usersOf('t', { kind, id });
  return users.map((user) => `${user.kind} ${user.name}`);
}

describe('what uses a source (interface: DELETE of a source in use)', () => {
  it.each<[string, Partial<Dashboard>]>([
    ['a series', { tiles: [{ ...place, series: [count, { ...count, sourceId: id }] }] }],
    ['a config', { tiles: [{ ...place, config: { displayType: 'line', sourceId: id, select } }] }],
    [
      'where a click leads',
      {
        tiles: [{ ...place, config: { displayType: 'table', sourceId: other, select, onClick: toSearch } }],
      },
    ],
    ['a filter', { filters: [{ ...filter, sourceId: id }] }],
    ['what a filter applies to', { filters: [{ ...filter, appliesToSourceIds: [other, id] }] }],
  ])('%s', async (_, parts) => {
    expect(await usersIn(parts)).toEqual(['dashboard Shop']);
  });

  it('not a dashboard that only mentions it, nor one of another tenant', async () => {
    expect(await usersIn({ tiles: [{ ...place, config: { displayType: 'markdown', markdown: id } }] })).toEqual([]);
    expect(await usersIn({ tiles: [{ ...place, series: [count] }] })).toEqual([]);
  });

  it('a saved search', async () => {
    const savedSearches = new FakeSavedSearchRepository();
    const now = new Date(0).toISOString();
    const text = { select: '', where: '', whereLanguage: 'lucene', orderBy: '' } as const;
    const record = { ...text, tags: [], filters: [], createdAt: now, updatedAt: now };
    await savedSearches.insert('t', { id: 's1', name: 'Errors', sourceId: id, ...record });
    await savedSearches.insert('t', { id: 's2', name: 'Others', sourceId: other, ...record });
    const users = new StoredReferenceUsers({
      dashboards: new FakeDashboardRepository(),
      savedSearches,
      sources: new FakeSourceRepository(),
    });
    expect(await users.usersOf('t', { kind: 'source', id })).toEqual([
      { kind: 'saved search', id: 's1', name: 'Errors' },
    ]);
    expect(await users.usersOf('u', { kind: 'source', id })).toEqual([]);
  });
});

describe('what uses a connection', () => {
  it('a tile of raw SQL', async () => {
    expect(await usersIn({ tiles: [{ ...place, config: rawSql }] }, 'connection')).toEqual(['dashboard Shop']);
    expect(await usersIn({ tiles: [{ ...place, config: rawSql }] }, 'source')).toEqual([]);
  });

  it('a source', async () => {
    const sources = new FakeSourceRepository();
    await sources.insert('t', sourceOf({ connection: id, name: 'Orders' }));
    await sources.insert('t', sourceOf({ connection: other }));
    const savedSearches = new FakeSavedSearchRepository();
    const users = new StoredReferenceUsers({ dashboards: new FakeDashboardRepository(), savedSearches, sources });
    expect(await users.usersOf('t', { kind: 'connection', id })).toMatchObject([{ kind: 'source', name: 'Orders' }]);
  });
});
