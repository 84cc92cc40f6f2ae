import type { TimeRange } from '../chart-query.ts';
import { compileWhere } from '../compile-text.ts';
import { inText } from '../compiled-query.ts';
import type { DeltasQuery } from '../deltas-query.ts';
import { boundTime } from '../passes/bound-time.ts';
import type { ComparedField } from '../schema/compared-fields.ts';
import { type Scope, scopeOf } from '../schema/scope.ts';
import type { EventSourceSchema } from '../source-schema.ts';
import { readEvents } from './read-events.ts';
import { type Select, sameColumn } from './select.ts';
import { alias, and, binary, call, column, constant, emptyText, not, or, type SqlExpr } from './sql-expr.ts';

/** The index of the cell that each event has, so that they are counted with the others. */
const ofEvents = -1;

/** Columns as `compileDeltas` says. */
export function planDeltas(query: DeltasQuery, source: EventSourceSchema, fields: readonly ComparedField[]): Select {
  const shareOf = (count: string, all: string) => binary(alias(count), '/', call('greatest', alias(all), constant(1)));
  const difference = call('abs', binary(shareOf('a', 'all_a'), '-', shareOf('b', 'all_b')));
  const isEvents = binary(alias('f'), '<', constant(0));
  const names = ['f', 'k', 'v', 'a', 'b', 'has_a', 'has_b', 'all_a', 'all_b', 'attributes'];
  return {
    columns: names.map(sameColumn),
    from: { kind: 'select', select: planTotals(countedCells(query, source, fields)) },
    orderBy: [
      // More than any share.
      { expr: call('if', isEvents, constant(2), difference), descending: true },
      ...['f', 'k', 'v'].map((name) => ({ expr: alias(name) })),
    ],
    limit: query.valuesMax + 1,
  };
}

/** One column `n`. */
export function planSelectedCount({ all, selection }: DeltasQuery, source: EventSourceSchema): Select {
  const scope = scopeOf(source, source.table);
  const { from, where } = readEvents(source, scope, all.range);
  const filter = inText('where', () => compileWhere(all.where, all.whereLanguage, scope));
  const selected = selectedEvents(selection, source, scope);
  return {
    columns: [{ as: 'n', expr: call('count') }],
    from,
    where: [...where, ...(filter === undefined ? [] : [filter]), ...withinSlices(selection.slices, source), selected],
    limit: 1,
  };
}

function withinSlices(slices: readonly TimeRange[], source: EventSourceSchema): SqlExpr[] {
  return slices.length === 0 ? [] : [or(slices.map((slice) => and(boundTime(source.table, source, slice))))];
}

function planTotals(cells: Select): Select {
  const ofAttribute = (count: string): SqlExpr => ({
    kind: 'overAll',
    call: call('sum', alias(count)),
    partitionBy: [alias('f'), alias('k')],
  });
  const ofAll = (count: string): SqlExpr => {
    const events = call('if', binary(alias('f'), '<', constant(0)), alias(count), constant(0));
    return { kind: 'overAll', call: call('max', events) };
  };
  const attributes = call('uniqExact', call('tuple', alias('f'), alias('k')));
  return {
    columns: [
      ...['f', 'k', 'v', 'a', 'b'].map(sameColumn),
      { as: 'has_a', expr: ofAttribute('a') },
      { as: 'has_b', expr: ofAttribute('b') },
      { as: 'all_a', expr: ofAll('a') },
      { as: 'all_b', expr: ofAll('b') },
      { as: 'attributes', expr: binary({ kind: 'overAll', call: attributes }, '-', constant(1)) },
    ],
    from: { kind: 'select', select: cells },
  };
}

function countedCells(query: DeltasQuery, source: EventSourceSchema, fields: readonly ComparedField[]): Select {
  const part = (index: number) => call('tupleElement', alias('cell'), constant(index));
  const isValue = and([
    binary(part(3), '!=', emptyText),
    binary(call('length', part(3)), '<=', constant(query.valueLengthMax)),
  ]);
  return {
    columns: [
      { as: 'f', expr: part(1) },
      { as: 'k', expr: part(2) },
      { as: 'v', expr: part(3) },
      { as: 'a', expr: call('countIf', alias('is_selected')) },
      { as: 'b', expr: call('countIf', not(alias('is_selected'))) },
    ],
    from: { kind: 'select', select: cellsOfEvents(query, source, fields) },
    unfold: { array: 'row_cells', as: 'cell' },
    where: [or([binary(part(1), '=', constant(ofEvents)), isValue])],
    groupBy: ['f', 'k', 'v'].map(alias),
  };
}

function cellsOfEvents(
  { all, selection }: DeltasQuery,
  source: EventSourceSchema,
  fields: readonly ComparedField[],
): Select {
  const scope = scopeOf(source, source.table);
  const { from, where } = readEvents(source, scope, all.range);
  const filter = inText('where', () => compileWhere(all.where, all.whereLanguage, scope));
  const selected = selectedEvents(selection, source, scope);
  const isRead = or([
    and([...withinSlices(selection.slices, source), selected]),
    and([...withinSlices(all.slices, source), not(selected)]),
  ]);
  const isSampled = all.slices.length + selection.slices.length > 0;
  return {
    columns: [
      { as: 'is_selected', expr: selected },
      { as: 'row_cells', expr: call('arrayConcat', ...cellsOfEvent(fields, scope)) },
    ],
    from,
    where: [...where, ...(filter === undefined ? [] : [filter]), ...(isSampled ? [isRead] : [])],
  };
}

/** Never NULL, so that what is not selected is the rest. */
function selectedEvents(
  { range, where, whereLanguage }: DeltasQuery['selection'],
  source: EventSourceSchema,
  scope: Scope,
) {
  const filter = inText('selection.where', () => compileWhere(where, whereLanguage, scope));
  const conditions = [...boundTime(source.table, source, range), ...(filter === undefined ? [] : [filter])];
  return call('ifNull', and(conditions), constant(0));
}

/** Arrays of tuples: index of the field, key, value. */
function cellsOfEvent(fields: readonly ComparedField[], scope: Scope): SqlExpr[] {
  const cell = (index: number, key: SqlExpr, value: SqlExpr) =>
    call('tuple', call('toInt64', constant(index)), key, value);
  const columns = fields.flatMap(({ column: name, isMap }, index) =>
    isMap ? [] : [cell(index, emptyText, textOf(name, scope))],
  );
  const maps = fields.flatMap(({ column: name, isMap }, index) => {
    if (!isMap) return [];
    const body = cell(index, call('toString', alias('key')), call('toString', alias('value')));
    const pair = { kind: 'lambda', names: ['key', 'value'], body } as const;
    return [call('arrayMap', pair, call('mapKeys', column(name)), call('mapValues', column(name)))];
  });
  return [call('array', cell(ofEvents, emptyText, emptyText), ...columns), ...maps];
}

function textOf(name: string, { table }: Scope): SqlExpr {
  const text = call('toString', column(name));
  return table.columns.get(name)?.includes('Nullable') ? call('ifNull', text, emptyText) : text;
}
