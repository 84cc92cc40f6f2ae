import { describe, expect, it } from 'vitest';
import type { Field, TextExpr } from '../ast/text-expr.ts';
import { compileChart } from '../compile-chart.ts';
import { column } from '../plan/sql-expr.ts';
import { scopeOf } from '../schema/scope.ts';
import { parseSqlValue } from '../sql/parse-sql.ts';
import { testChart, testGuards, testLogs, testTraces } from '../testing.ts';
import { boundTime } from './bound-time.ts';
import { promoteColumns } from './promote-columns.ts';
import { resolveFields } from './resolve-fields.ts';
import { useItemIndex } from './use-item-index.ts';
import { GuardError, verifyGuards } from './verify-guards.ts';

const scope = scopeOf(testLogs, testLogs.table);

/** What a name means, without its place in the text. */
function field(expr: TextExpr): Omit<Field, 'start' | 'end'> {
  if (!('start' in expr)) throw new Error('not a field');
  const { start: _start, end: _end, ...rest } = expr;
  return rest as Omit<Field, 'start' | 'end'>;
}
const resolved = (text: string): TextExpr => resolveFields(parseSqlValue(text), scope);

describe('resolve-fields', () => {
  it.each([
    ['Body', { kind: 'column', column: 'Body' }],
    ['LogAttributes.a.b', { kind: 'attribute', key: 'a.b', places: [{ map: 'LogAttributes' }] }],
    ["LogAttributes['a.b']", { kind: 'attribute', key: 'a.b', places: [{ map: 'LogAttributes' }] }],
    ['Body.user.id', { kind: 'json', column: 'Body', path: ['user', 'id'] }],
    [
      'http.status',
      {
        kind: 'attribute',
        key: 'http.status',
        places: [{ map: 'LogAttributes' }, { map: 'ResourceAttributes' }, { map: 'ScopeAttributes' }],
      },
    ],
  ])('%s', (text, meaning) => expect(field(resolved(text))).toEqual(meaning));

  it('a column whose own name has dots wins over a path', () => {
    const traces = scopeOf(testTraces, testTraces.table);
    expect(field(resolveFields(parseSqlValue('Events.Name'), traces))).toEqual({
      kind: 'column',
      column: 'Events.Name',
    });
  });

  it.each(["Foo['x']", 'SeverityNumber.x', "Body['x']"])('%s is rejected', (text) => {
    expect(() => resolved(text)).toThrow(/there is no column|has no/);
  });

  it.each(['ParcelNo', 'Foo.x', 'order', 'order.state'])('%s is an attribute, whatever it begins with', (text) => {
    const name: Field = { kind: 'name', name: text, start: 0, end: text.length };
    expect(field(resolveFields(name, scope))).toMatchObject({ kind: 'attribute', key: text });
  });

  it('without attribute columns every unknown name is rejected', () => {
    expect(() => resolveFields(parseSqlValue('a.b'), { ...scope, attributeColumns: [] })).toThrow('there is no column');
  });
});

describe('promote-columns', () => {
  it('reads a hot resource attribute from its own column, in its place in the order of look-up', () => {
    expect(field(promoteColumns(resolved('k8s.pod.name'), scope))).toMatchObject({
      places: [
        { map: 'LogAttributes' },
        { map: 'ResourceAttributes', promoted: '__hdx_materialized_k8s.pod.name' },
        { map: 'ScopeAttributes' },
      ],
    });
  });

  it('leaves other keys, and the same key of another map, alone', () => {
    for (const text of ['a.b', 'LogAttributes.k8s.pod.name']) {
      expect(promoteColumns(resolved(text), scope)).toEqual(resolved(text));
    }
  });

  it('knows a column by what fills it: one map, all maps in their order, the number in it', () => {
    const all = "coalesce(nullIf(LogAttributes['a'], ''), nullIf(ResourceAttributes['a'], ''), ScopeAttributes['a'])";
    const numberIn = (text: string) => `if(isFinite(toFloat64OrNull(${text})), toFloat64OrNull(${text}), NULL)`;
    const columnsOf = (text: string, expression: string) => {
      const table = { ...testLogs.table, materialized: new Map([[expression, 'own']]) };
      const found = promoteColumns(resolved(text), { ...scope, table });
      return found.kind === 'attribute' ? [found.textColumn, found.numberColumn] : [];
    };
    expect(columnsOf('LogAttributes.a', "LogAttributes['a']")).toEqual(['own', undefined]);
    expect(columnsOf('LogAttributes.a', numberIn("LogAttributes['a']"))).toEqual([undefined, 'own']);
    expect(columnsOf('a', all)).toEqual(['own', undefined]);
    expect(columnsOf('a', numberIn(all))).toEqual([undefined, 'own']);
    for (const other of ["lower(LogAttributes['a'])", "ResourceAttributes['a']", "LogAttributes['b']", all]) {
      expect(columnsOf('LogAttributes.a', other)).toEqual([undefined, undefined]);
    }
  });
});

describe('use-item-index', () => {
  it('notes the items of each map that has them', () => {
    expect(field(useItemIndex(resolved('a.b'), scope))).toMatchObject({
      places: [
        { map: 'LogAttributes', items: 'LogAttributeItems' },
        { map: 'ResourceAttributes', items: 'ResourceAttributeItems' },
        { map: 'ScopeAttributes' },
      ],
    });
  });

  it('knows items that are the whole map by the expression that makes them', () => {
    const place = (expression: string) => {
      const table = { ...testLogs.table, defaults: new Map([['LogAttributeItems', expression]]) };
      const noted = useItemIndex(resolved('LogAttributes.a'), { ...scope, table });
      return noted.kind === 'attribute' ? noted.places[0] : undefined;
    };
    const items = (map: string) => `arrayMap(p -> concat(p.1, '=', p.2), CAST(${map}, 'Array(Tuple(String, String))'))`;
    expect(place(items('LogAttributes'))).toMatchObject({ itemsAreComplete: true });
    expect(place(items('ResourceAttributes'))).not.toHaveProperty('itemsAreComplete');
    expect(place(`arraySlice(${items('LogAttributes')}, 1, 9)`)).not.toHaveProperty('itemsAreComplete');
  });
});

describe('bound-time', () => {
  const operators = (range: { startMs: number; endMs: number }): unknown[] =>
    boundTime(testLogs.table, testLogs, range).map((bound) =>
      bound.kind === 'binary' && bound.left.kind === 'column' ? `${bound.left.name} ${bound.operator}` : bound,
    );

  it('bounds the exact time, half-open, and the time of the sort key', () => {
    expect(operators({ startMs: 1_000, endMs: 2_500 })).toEqual([
      'Timestamp >=',
      'Timestamp <',
      'TimestampTime >=',
      'TimestampTime <=',
    ]);
  });

  it('a range in whole seconds needs nothing but the column that holds the seconds, where its default shows that', () => {
    expect(operators({ startMs: 1_000, endMs: 3_000 })).toEqual(['TimestampTime >=', 'TimestampTime <']);
    const table = { ...testLogs.table, defaults: new Map([['TimestampTime', 'now()']]) };
    expect(boundTime(table, testLogs, { startMs: 1_000, endMs: 3_000 })).toHaveLength(4);
  });

  it('leaves the sort key out where its type would wrap around', () => {
    expect(operators({ startMs: -5, endMs: 1_000 })).toEqual(['Timestamp >=', 'Timestamp <']);
    expect(operators({ startMs: 0, endMs: 9e15 })).toEqual(['Timestamp >=', 'Timestamp <']);
  });
});

describe('verify-guards', () => {
  const { table } = testLogs;
  const bounds = boundTime(table, testLogs, { startMs: 0, endMs: 1_000 });
  const columns = [{ as: 'ts', expr: column('Timestamp') }];
  const from = { kind: 'table' as const, table, bounds };
  const good = { columns, from, limit: 10 };

  it('lets a bounded, limited read of the own database pass', () => {
    expect(() => verifyGuards(good, testGuards)).not.toThrow();
  });

  it.each([
    ['no limit', { columns, from }],
    ['a limit beyond the allowed', { ...good, limit: 1e9 }],
    ['a table without time bounds', { ...good, from: { ...from, bounds: [] } }],
    ['half a time range', { ...good, from: { ...from, bounds: bounds.slice(0, 1) } }],
    ['another database', { ...good, from: { ...from, table: { ...table, database: 'otel_b' } } }],
    ['an unknown column', { ...good, columns: [{ as: 'ts', expr: column('Secret') }] }],
    ['an unknown function', { ...good, where: [{ kind: 'call' as const, name: 'file', args: [] }] }],
    ['a name that is not plain', { ...good, columns: [{ as: 'a b', expr: column('Body') }] }],
    [
      'any of these inside',
      {
        columns: [{ as: 'ts', expr: { kind: 'alias' as const, name: 'ts' } }],
        limit: 10,
        from: { kind: 'select' as const, select: { columns, from: { ...from, bounds: [] } } },
      },
    ],
    [
      'any of these in a union',
      {
        columns: [],
        limit: 10,
        from: {
          kind: 'union' as const,
          selects: [
            { columns, from },
            { columns, from: { ...from, bounds: [] } },
          ],
        },
      },
    ],
  ])('rejects %s', (_, plan) => expect(() => verifyGuards(plan, testGuards)).toThrow(GuardError));
});

describe('drop-repeats', () => {
  const asked = (series: Parameters<typeof testChart>[0], rest = {}) => {
    const { sql, repeated } = compileChart(testChart(series, rest), testLogs, testGuards);
    return { columns: [...sql.matchAll(/ AS ([nv]\d)\b/g)].map(([, name]) => name), repeated: [...(repeated ?? [])] };
  };

  it('does not ask for the value of a plain count, which is the number of its rows', () => {
    expect(asked([{}, { where: 'a:b' }, { aggregate: 'max', field: 'SeverityNumber' }])).toEqual({
      columns: ['n0', 'n1', 'n2', 'v2'],
      repeated: [
        ['n0', 'v0'],
        ['n1', 'v1'],
      ],
    });
  });
});
