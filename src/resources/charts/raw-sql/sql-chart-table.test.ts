import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ArrangedColumns } from './arrange-columns.ts';
import { sqlChartTable } from './sql-chart-table.ts';

interface Row {
  timeMs: number;
  names: string[];
  value: number | null;
}

const rowsOf = (groups: number): fc.Arbitrary<Row[]> =>
  fc.array(
    fc.record({
      timeMs: fc.oneof(fc.integer({ min: -3, max: 12 }), fc.constant(Number.NaN)),
      names: fc.array(fc.constantFrom('a', 'b', 'c', ''), { minLength: groups, maxLength: groups }),
      value: fc.option(fc.integer({ min: -5, max: 5 })),
    }),
    { maxLength: 60 },
  );

function columnsOf(rows: readonly Row[], groups: number): ArrangedColumns {
  return {
    rows: rows.length,
    time: { instantsMs: rows.map(({ timeMs }) => timeMs), instantOf: rows.map((_, row) => row) },
    groups: Array.from({ length: groups }, (_, at) => ({
      name: `g${at}`,
      isTime: false,
      cells: rows.map(({ names }) => names[at] ?? ''),
    })),
    values: [{ name: 'v', isCount: false, cells: rows.map(({ value }) => value) }],
    order: [],
  };
}

const bucketOf = (timeMs: number) => (timeMs >= 0 && timeMs < 10 ? Math.floor(timeMs / 2) * 2 : undefined);

/** The rule, row by row: a later row in the same bucket and group takes the place of an earlier one. */
function placedByRule(rows: readonly Row[]): Map<string, { bucketMs: number; names: string[]; value: number | null }> {
  const placed = new Map<string, { bucketMs: number; names: string[]; value: number | null }>();
  for (const { timeMs, names, value } of rows) {
    const bucketMs = bucketOf(timeMs);
    if (bucketMs !== undefined) placed.set(JSON.stringify([bucketMs, names]), { bucketMs, names, value });
  }
  return placed;
}

test.each([0, 1, 2])('rows with %d groups take their places by time and group, the later of two', (groups) => {
  fc.assert(
    fc.property(rowsOf(groups), (rows) => {
      const { table, droppedRows } = sqlChartTable(columnsOf(rows, groups), { bucketOf, groupsMax: 100 });
      const rule = placedByRule(rows);
      const found = table.bucketsMs.map((bucketMs, row) => ({
        bucketMs,
        names: table.groups[table.groupOf[row] ?? -1],
        value: table.series[0]?.[row],
      }));
      expect(new Map(found.map((each) => [JSON.stringify([each.bucketMs, each.names]), each]))).toEqual(rule);
      expect(found.length).toBe(rule.size);
      expect(droppedRows).toBe(rows.length - rule.size);
      const places = table.bucketsMs.map((bucketMs, row) => bucketMs * 1000 + (table.groupOf[row] ?? 0));
      expect(places).toEqual([...places].sort((a, b) => a - b));
      expect(table.truncated).toBe(false);
    }),
  );
});

test('of too many groups those stay whose values add up to the most', () => {
  fc.assert(
    fc.property(rowsOf(1), (rows) => {
      const { table, droppedRows } = sqlChartTable(columnsOf(rows, 1), { bucketOf, groupsMax: 2 });
      const rule = [...placedByRule(rows).values()];
      const sums = new Map<string, number>();
      for (const { names, value } of rule)
        sums.set(names[0] ?? '', (sums.get(names[0] ?? '') ?? 0) + Math.abs(value ?? 0));
      const shown = new Set(table.groupOf.map((group) => table.groups[group]?.[0] ?? ''));
      const largest = [...sums.values()].sort((a, b) => b - a).slice(0, 2);
      expect([...shown].map((name) => sums.get(name)).sort((a = 0, b = 0) => b - a)).toEqual(largest);
      expect(table.truncated).toBe(sums.size > 2);
      expect(droppedRows).toBe(rows.length - rule.length);
    }),
  );
});
