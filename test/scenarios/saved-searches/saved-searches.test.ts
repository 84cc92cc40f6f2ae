import { beforeEach, describe, expect, it } from 'vitest';
import type { SavedSearchRecord } from '../../../src/contract/saved-search.ts';
import { TestApi } from '../../../src/http/testing.ts';
import { FakeClock } from '../../../src/kernel/fake-clock.ts';
import { randomIds } from '../../../src/kernel/ids.ts';
import { FakeSavedSearchRepository } from '../../../src/resources/saved-searches/fake-saved-search-repository.ts';
import { savedSearchOperations } from '../../../src/resources/saved-searches/operations/saved-search-operations.ts';
import { SavedSearchService } from '../../../src/resources/saved-searches/saved-search-service.ts';
import { FakeSourceRepository } from '../../../src/resources/sources/fake-source-repository.ts';
import { sourceOf } from '../../support/source-record.ts';
import { hex24, missingId, otherTenant, tenant } from '../sources/source-api.ts';

let api: TestApi;
let savedSearches: FakeSavedSearchRepository;
let sourceId: string;
let foreignSourceId: string;
const clock = new FakeClock();

beforeEach(async () => {
  const sources = new FakeSourceRepository();
  const [own, foreign] = [sourceOf(), sourceOf()];
  await sources.insert(tenant.id, own);
  await sources.insert(otherTenant.id, foreign);
  [sourceId, foreignSourceId] = [own.id, foreign.id];
  savedSearches = new FakeSavedSearchRepository();
  const service = new SavedSearchService({ savedSearches, sources, ids: randomIds, clock });
  api = new TestApi('selfHosted', savedSearchOperations(service));
});

async function create(body: object = {}): Promise<SavedSearchRecord> {
  const answer = await api.send('POST', '/saved-searches', { body: { name: 'Errors', sourceId, ...body } });
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.body}`);
  return (answer.json as { data: SavedSearchRecord }).data;
}

async function put(id: string, body: object): Promise<[number, unknown]> {
  const { status, json } = await api.send('PUT', `/saved-searches/${id}`, { body });
  return [status, json];
}

const choice = { type: 'sql', condition: "ServiceName IN ('shop', 'web')" };

describe('contract §8: saved searches', () => {
  it('the smallest one has every field, with its default', async () => {
    const now = new Date(clock.nowMs()).toISOString();
    expect(await create({ name: '  Errors  ' })).toEqual({
      id: expect.stringMatching(hex24),
      name: 'Errors',
      sourceId,
      select: '',
      where: '',
      whereLanguage: 'lucene',
      orderBy: '',
      tags: [],
      filters: [],
      teamId: tenant.id,
      createdAt: now,
      updatedAt: now,
    });
  });

  it('GET answers what was written; the list is paged and in order of creation', async () => {
    const first = await create({ select: 'Body', where: 'a', orderBy: 'Body DESC', tags: ['x'], filters: [choice] });
    expect((await api.send('GET', `/saved-searches/${first.id}`)).json).toEqual({ data: first });
    const second = await create({ whereLanguage: 'sql' });
    expect((await api.send('GET', '/saved-searches')).json).toEqual({
      data: [first, second],
      meta: { total: 2, limit: 1000, offset: 0 },
    });
    expect((await api.send('GET', '/saved-searches?limit=1&offset=1')).json).toMatchObject({ data: [second] });
  });

  it('PUT replaces everything: what is absent has its default again, createdAt stays', async () => {
    const before = await create({ where: 'a', tags: ['x'], filters: [choice] });
    clock.advance(1_000);
    const [status, json] = await put(before.id, { name: 'Renamed', sourceId });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      data: { id: before.id, name: 'Renamed', where: '', tags: [], filters: [], createdAt: before.createdAt },
    });
    expect((json as { data: SavedSearchRecord }).data.updatedAt > before.updatedAt).toBe(true);
  });

  it('DELETE once, then 404 with the text of contract §8', async () => {
    const { id } = await create();
    expect(await api.send('DELETE', `/saved-searches/${id}`)).toMatchObject({ status: 200, json: {} });
    const gone = { status: 404, json: { message: 'Saved search not found' } };
    for (const method of ['GET', 'DELETE'] as const) {
      expect(await api.send(method, `/saved-searches/${id}`)).toMatchObject(gone);
    }
  });

  it('decisions D2: PUT looks for the record before it validates the body', async () => {
    expect((await put(missingId, { name: '' }))[0]).toBe(404);
  });

  it.each([
    ['no name', { name: undefined }, 'name: is required'],
    ['a blank name', { name: '   ' }, 'name: must not be empty'],
    ['a long name', { name: 'x'.repeat(1025) }, 'name: '],
    ['no source', { sourceId: undefined }, 'sourceId: is required'],
    ['a malformed source', { sourceId: 'x' }, 'sourceId: '],
    ['an unknown source', { sourceId: missingId }, `sourceId: there is no source ${missingId}`],
    ['a long filter text', { where: 'x'.repeat(8193) }, 'where: '],
    ['an unknown language', { whereLanguage: 'kql' }, 'whereLanguage: '],
    ['51 tags', { tags: Array(51).fill('x') }, 'tags: '],
    ['a long tag', { tags: ['x'.repeat(33)] }, 'tags.0: '],
    ['101 filters', { filters: Array(101).fill(choice) }, 'filters: '],
  ])('rejects %s with 400 and stores nothing', async (_, change, reason) => {
    const answer = await api.send('POST', '/saved-searches', { body: { name: 'Errors', sourceId, ...change } });
    expect([answer.status, answer.body]).toEqual([400, expect.stringContaining(reason)]);
    expect((await savedSearches.list(tenant.id, { limit: 10, offset: 0 })).total).toBe(0);
  });

  it('decisions F2: another team’s source is an unknown one', async () => {
    const body = { name: 'Errors', sourceId: foreignSourceId };
    const answer = await api.send('POST', '/saved-searches', { body });
    expect([answer.status, answer.body]).toEqual([400, expect.stringContaining('sourceId: there is no source')]);
  });
});

describe('contract §8: new filters are one choice or one range', () => {
  it.each([
    "ServiceName IN ('a')",
    "ServiceName NOT IN ('a', 'b')",
    "LogAttributes['http.status'] IN ('200')",
    'Duration BETWEEN 1 AND 2.5',
  ])('takes %s', async (condition) => {
    expect((await create({ filters: [{ condition }] })).filters).toEqual([{ type: 'sql', condition }]);
  });

  it.each([
    { condition: "ServiceName = 'a'" },
    { condition: "ServiceName IN ('a') AND 1 = 1" },
    { condition: "NOT (ServiceName = 'a')" },
    { condition: 'ServiceName IN (SELECT 1)' },
    { condition: "Duration BETWEEN 'a' AND 'b'" },
    { condition: '' },
    { type: 'lucene', condition: 'a' },
    { type: 'sql_ast', operator: '=', left: 'a', right: 'b' },
  ])('rejects %j', async (filter) => {
    const answer = await api.send('POST', '/saved-searches', { body: { name: 'x', sourceId, filters: [filter] } });
    expect([answer.status, answer.body]).toEqual([400, expect.stringContaining('filters.0.')]);
  });

  it('PUT leaves a stored filter of another form alone, and rejects a new one beside it', async () => {
    const { id } = await create();
    const stored = await savedSearches.find(tenant.id, id);
    if (!stored) throw new Error('nothing was stored');
    const old = { type: 'lucene', condition: 'level:error' } as const;
    await savedSearches.replace(tenant.id, { ...stored, filters: [old] });
    expect((await put(id, { name: 'x', sourceId, filters: [old, choice] }))[0]).toBe(200);
    const fresh = { type: 'lucene', condition: 'level:warn' };
    expect(await put(id, { name: 'x', sourceId, filters: [old, fresh] })).toEqual([
      400,
      { message: expect.stringContaining('filters.1.type') },
    ]);
  });
});
