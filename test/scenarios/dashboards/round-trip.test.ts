import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aggregateFunctions } from '../../../src/contract/series.ts';
import { logSource, metricSource } from '../../../src/resources/dashboards/testing.ts';
import { DashboardApi, flavours, withoutIds } from './dashboard-api.ts';

const text = fc.string({ unit: 'binary', maxLength: 20 });
const place = {
  x: fc.integer({ min: 0, max: 23 }),
  y: fc.nat(500),
  w: fc.integer({ min: 1, max: 24 }),
  h: fc.integer({ min: 1, max: 50 }),
};
const series = fc.record(
  {
    sourceId: fc.constantFrom(logSource, metricSource),
    aggFn: fc.constantFrom(...aggregateFunctions),
    where: text,
    groupBy: fc.array(text, { maxLength: 4 }),
    field: text,
    alias: text,
    level: fc.double({ min: 0, max: 1, noNaN: true }).map((level) => Math.abs(level)),
    whereLanguage: fc.constantFrom('lucene', 'sql'),
    dataSource: fc.constantFrom('events', 'metrics'),
    metricDataType: fc.constantFrom('sum', 'gauge', 'histogram'),
    ownKey: fc.jsonValue({ maxDepth: 3 }),
  },
  { requiredKeys: ['sourceId', 'aggFn', 'where', 'groupBy'] },
);
const common = { ...place, name: text, ownKey: fc.jsonValue({ maxDepth: 3 }) };
const placed = ['x', 'y', 'w', 'h'] as const;
const tile = fc.oneof(
  fc.record(
    { ...common, series: fc.array(series, { maxLength: 3 }), asRatio: fc.boolean() },
    { requiredKeys: [...placed] },
  ),
  fc.record(
    { ...common, config: fc.record({ displayType: fc.constant('markdown'), markdown: text, ownKey: fc.jsonValue() }) },
    { requiredKeys: [...placed, 'config'] },
  ),
);
const filter = fc.record(
  {
    type: fc.constant('QUERY_EXPRESSION'),
    name: fc.string({ unit: 'binary', minLength: 1, maxLength: 10 }),
    expression: fc.string({ unit: 'binary', minLength: 1, maxLength: 10 }),
    sourceId: fc.constant(logSource),
    where: text,
    isBroadcastEnabled: fc.constant(true),
  },
  { requiredKeys: ['type', 'name', 'expression', 'sourceId'] },
);
const dashboard = fc.record(
  {
    name: fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }),
    tags: fc.array(text, { maxLength: 5 }),
    tiles: fc.array(tile, { maxLength: 6 }),
    savedQuery: fc.option(text),
    savedFilterValues: fc.array(fc.record({ condition: text }), { maxLength: 2 }),
    filters: fc.array(filter, { maxLength: 2 }),
  },
  { requiredKeys: ['name', 'tags', 'tiles'] },
);

/** Numbers as JSON writes them: `-0` is `0` on the wire. */
const onWire = <T>(value: T): T => JSON.parse(JSON.stringify(value));

describe.each(flavours)('round trips (decisions D5), %s', (flavour) => {
  it('GET of what was written equals what was written, ids aside', async () => {
    await fc.assert(
      fc.asyncProperty(dashboard, async (body) => {
        const api = new DashboardApi(flavour);
        const created = await api.create(body);
        expect(withoutIds(created)).toEqual(onWire(body));
        expect(await api.get(created.id)).toEqual(created);
        await api.server.close();
      }),
      { numRuns: 60 },
    );
  });

  it('a GET is valid, and PUT of it changes nothing, ids and version included (U-01)', async () => {
    await fc.assert(
      fc.asyncProperty(dashboard, async (body) => {
        const api = new DashboardApi(flavour);
        const { id } = await api.create(body);
        const before = api.stored();
        const read = await api.get(id);
        const answer = await api.send('POST', '/dashboards/validate', { body: read });
        const result = flavour === 'selfHosted' ? answer.json : api.unwrap(answer);
        expect(result).toMatchObject({ valid: true, errors: [] });
        expect(await api.put(id, read)).toEqual(read);
        expect(api.stored()).toEqual(before);
        await api.server.close();
      }),
      { numRuns: 60 },
    );
  });

  it('PUT of any other body replaces tags and tiles whole', async () => {
    await fc.assert(
      fc.asyncProperty(dashboard, dashboard, async (first, second) => {
        const api = new DashboardApi(flavour);
        const { id } = await api.create(first);
        const updated = await api.put(id, second);
        expect(withoutIds(updated)).toMatchObject(onWire({ name: second.name, tags: second.tags }));
        expect(updated.tiles.map(({ id: _id, ...rest }) => rest)).toEqual(onWire(second.tiles));
        await api.server.close();
      }),
      { numRuns: 40 },
    );
  });

  it('U-16: validate says exactly what a write would say', async () => {
    const broken = fc.record({
      name: fc.oneof(text, fc.nat()),
      tags: fc.constant([]),
      tiles: fc.array(fc.oneof(tile, fc.record({ x: fc.double() }))),
    });
    await fc.assert(
      fc.asyncProperty(fc.oneof(dashboard, broken), async (body) => {
        const api = new DashboardApi(flavour);
        const answer = await api.send('POST', '/dashboards/validate', { body });
        const result = (flavour === 'selfHosted' ? answer.json : api.unwrap(answer)) as { valid: boolean };
        expect(api.dashboards.writes).toBe(0);
        expect((await api.tryCreate(body)).status === 200).toBe(result.valid);
        await api.server.close();
      }),
      { numRuns: 50 },
    );
  });
});
