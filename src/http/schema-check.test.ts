import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { CreateDashboardSchema } from '../contract/dashboard.ts';
import { PipeInputSchema } from '../contract/pipe-input.ts';
import { SavedSearchInputSchema } from '../contract/saved-search.ts';
import { SourceInputSchema } from '../contract/source.ts';
import { bodyCheck } from './schema-check.ts';

/** Counts how often anything inside of a value is read: the work of a check, whatever the machine. */
function counting(value: unknown, count: { reads: number }): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return new Proxy(value, {
    get(target, key, receiver) {
      count.reads += 1;
      return counting(Reflect.get(target, key, receiver), count);
    },
  });
}

function readsOf(check: ReturnType<typeof bodyCheck>, value: unknown): number {
  const count = { reads: 0 };
  check(counting(value, count));
  return count.reads;
}

const series = (count: number, one: unknown) => ({ name: 'a', tiles: many(count, { series: [one] }) });
const many = (count: number, item: unknown) => Array.from({ length: count }, () => item);

const wrongBodies: Record<string, { check: ReturnType<typeof bodyCheck>; body: (count: number) => unknown }> = {
  'filters of a saved search': {
    check: bodyCheck(SavedSearchInputSchema),
    body: (count) => ({ name: 'a', sourceId: 'x', filters: many(count, {}) }),
  },
  'tags of a saved search': {
    check: bodyCheck(SavedSearchInputSchema),
    body: (count) => ({ name: 'a', sourceId: 'x', tags: many(count, 1) }),
  },
  'tiles of a dashboard': { check: bodyCheck(CreateDashboardSchema), body: (count) => series(count, {}) },
  'config of tiles': {
    check: bodyCheck(CreateDashboardSchema),
    body: (count) => ({ name: 'a', tiles: many(count, { config: { displayType: 'line', select: many(30, 1) } }) }),
  },
  'columns of a source': {
    check: bodyCheck(SourceInputSchema),
    body: (count) => ({ kind: 'log', name: 1, highlightedTraceAttributeExpressions: many(count, 1) }),
  },
  'columns of a pipe': {
    check: bodyCheck(PipeInputSchema),
    body: (count) => ({
      name: 'a',
      destination: { columns: many(count, 1) },
      source: {},
      fieldMappings: many(count, 1),
    }),
  },
  'a union within a union': {
    check: bodyCheck(Type.Array(Type.Union([Type.String(), Type.Array(Type.Union([Type.Null(), Type.Boolean()]))]))),
    body: (count) => many(count, many(20, 1)),
  },
};

describe('checking a body by its schema', () => {
  it.each(Object.keys(wrongBodies))('stops soon, however much is wrong: %s', (name) => {
    const { check, body } = wrongBodies[name] ?? { check: () => [], body: () => null };
    const few = readsOf(check, body(1000));
    expect(check(body(1000)).length).toBeGreaterThan(0);
    expect(readsOf(check, body(4000))).toBeLessThanOrEqual(few * 1.01);
  });

  it('still lists what is wrong in every place of an ordinary body', () => {
    const problems = bodyCheck(CreateDashboardSchema)({
      name: '',
      tiles: [{ x: 1.5 }, { series: [{ sourceId: 's', aggFn: 'med', where: '', groupBy: [] }] }],
      tags: [1],
    });
    expect(problems.map(({ path }) => path)).toEqual(['name', 'tags.0', 'tiles.0.x', 'tiles.1.series.0.aggFn']);
  });

  it('takes a union that is right, whatever its other branches said', () => {
    const check = bodyCheck(Type.Array(Type.Union([Type.Array(Type.Number()), Type.Array(Type.String())])));
    expect(check(many(10, many(300, 'x')))).toEqual([]);
    expect(check([...many(10, many(20, 'x')), null])).toHaveLength(1);
  });
});
