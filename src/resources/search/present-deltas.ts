import { type AttributeDelta, type DeltasMeta, deltaLimits } from '../../contract/deltas.ts';
import { quoteText } from '../../kernel/sql-quoting.ts';
import type { DeltasQuery } from '../../query/deltas-query.ts';
import { type ComparedField, comparedFields } from '../../query/schema/compared-fields.ts';
import type { EventSourceSchema } from '../../query/source-schema.ts';
import type { QueryResult } from '../../telemetry/ports.ts';

type ValueDelta = AttributeDelta['values'][number];

interface Totals {
  selection: number;
  rest: number;
}

/** Columns as `compileDeltas` says; `results` are all that were read for it. */
export function presentDeltas(
  result: QueryResult,
  query: DeltasQuery,
  source: EventSourceSchema,
  results: readonly QueryResult[],
): { deltas: AttributeDelta[]; meta: DeltasMeta } {
  const rows = rowsOf(result);
  const [events] = rows;
  const totals = { selection: events?.allSelected ?? 0, rest: events?.allRest ?? 0 };
  const sum = (of: (each: QueryResult) => number): number => results.reduce((all, each) => all + of(each), 0);
  const meta: DeltasMeta = {
    selection: { events: totals.selection, sampled: query.selection.slices.length > 0 },
    rest: { events: totals.rest, sampled: query.all.slices.length > 0 },
    attributes: events?.attributes ?? 0,
    rowsRead: sum((each) => each.rowsRead),
    elapsedMs: sum((each) => each.elapsedMs),
  };
  const isComparable = totals.selection > 0 && totals.rest > 0;
  return { deltas: isComparable ? ranked(rows.slice(1), totals, comparedFields(source)) : [], meta };
}

interface CountedValue {
  field: number;
  key: string;
  value: string;
  selected: number;
  rest: number;
  hasSelected: number;
  hasRest: number;
  allSelected: number;
  allRest: number;
  attributes: number;
}

function rowsOf({ columns, names, rows }: QueryResult): CountedValue[] {
  const cell = (name: string, row: number): unknown => columns[names.indexOf(name)]?.[row];
  const number = (name: string, row: number): number => Number(cell(name, row) ?? 0);
  return Array.from({ length: rows }, (_, row) => ({
    field: number('f', row),
    key: String(cell('k', row) ?? ''),
    value: String(cell('v', row) ?? ''),
    selected: number('a', row),
    rest: number('b', row),
    hasSelected: number('has_a', row),
    hasRest: number('has_b', row),
    allSelected: number('all_a', row),
    allRest: number('all_b', row),
    attributes: number('attributes', row),
  }));
}

function ranked(rows: readonly CountedValue[], totals: Totals, fields: readonly ComparedField[]): AttributeDelta[] {
  const byAttribute = new Map<string, CountedValue[]>();
  for (const row of rows) {
    const id = JSON.stringify([row.field, row.key]);
    const values = byAttribute.get(id);
    if (values) values.push(row);
    else byAttribute.set(id, [row]);
  }
  const found = [...byAttribute.values()].flatMap((values) => {
    const [first] = values;
    const field = first && fields[first.field];
    if (!first || !field) return [];
    const all = [
      ...values.map((each) => valueDelta(each.value, each.selected, each.rest, totals)),
      missing(first, totals),
    ];
    const sorted = all.filter(({ delta }) => delta !== 0).sort((one, other) => other.delta - one.delta);
    const score = Math.max(...all.map((each) => beyondChance(each.shown, totals)));
    if (score <= 0) return [];
    const shown = sorted.slice(0, deltaLimits.values).map((each) => each.shown);
    return [{ score, delta: { ...namesOf(field, first.key), difference: sorted[0]?.delta ?? 0, values: shown } }];
  });
  return found
    .sort((one, other) => other.score - one.score)
    .slice(0, deltaLimits.attributes)
    .map(({ delta }) => delta);
}

function missing({ hasSelected, hasRest }: CountedValue, totals: Totals) {
  return valueDelta(null, totals.selection - hasSelected, totals.rest - hasRest, totals);
}

function valueDelta(value: string | null, selected: number, rest: number, totals: Totals) {
  const shown: ValueDelta = {
    value,
    selection: { count: selected, share: selected / totals.selection },
    rest: { count: rest, share: rest / totals.rest },
  };
  return { shown, delta: Math.abs(shown.selection.share - shown.rest.share) };
}

/**
 * By how much the shares differ more than by chance: less two standard errors of the difference, each side with an event
 * for and one against, so that three events out of three do not look certain.
 */
export function beyondChance({ selection, rest }: Pick<ValueDelta, 'selection' | 'rest'>, totals: Totals): number {
  const [one, other] = [
    [selection.count, totals.selection],
    [rest.count, totals.rest],
  ].map(([count = 0, all = 0]) => {
    const share = (count + 1) / (all + 2);
    return { share, variance: (share * (1 - share)) / (all + 2) };
  });
  if (!one || !other) return 0;
  return Math.abs(one.share - other.share) - 2 * Math.sqrt(one.variance + other.variance);
}

function namesOf({ column, isMap }: ComparedField, key: string): Pick<AttributeDelta, 'attribute' | 'name'> {
  return isMap
    ? { attribute: `${column}[${quoteText(key)}]`, name: `${column}.${key}` }
    : { attribute: column, name: column };
}
