import { compileField, compileWhere } from '../compile-text.ts';
import { inText } from '../compiled-query.ts';
import type { FacetQuery } from '../completion-query.ts';
import { asText } from '../lower/typed.ts';
import { boundTime } from '../passes/bound-time.ts';
import { type Scope, scopeOf } from '../schema/scope.ts';
import type { EventSourceSchema } from '../source-schema.ts';
import { readEvents } from './read-events.ts';
import { sampleWeight } from './sample-weight.ts';
import type { Select } from './select.ts';
import { alias, and, binary, call, constant, emptyText, or, type SqlExpr } from './sql-expr.ts';

/**
 * The most frequent values of several fields from one scan: each event becomes one cell per field. Columns `f` (index
 * of the field), `v`, `n` (events, weighted if the source is sampled), `present` (`n` of all its values) and `cells`
 * (distinct cells that were counted); by field, the most frequent first.
 */
export function planFacets(query: FacetQuery, source: EventSourceSchema): Select {
  const place: SqlExpr = {
    kind: 'window',
    call: call('row_number'),
    partitionBy: [alias('f')],
    orderBy: [binary(constant(0), '-', call('toInt64', alias('n'))), alias('v')],
  };
  const ranked: Select = {
    columns: [
      ...['f', 'v', 'n'].map((name) => ({ as: name, expr: alias(name) })),
      { as: 'place', expr: place },
      { as: 'present', expr: { kind: 'overAll', call: call('sum', alias('n')), partitionBy: [alias('f')] } },
      { as: 'cells', expr: { kind: 'overAll', call: call('count') } },
    ],
    from: { kind: 'select', select: countedCells(query, source) },
  };
  return {
    columns: ['f', 'v', 'n', 'present', 'cells'].map((name) => ({ as: name, expr: alias(name) })),
    from: { kind: 'select', select: ranked },
    where: [binary(alias('place'), '<=', constant(query.limit))],
    orderBy: [{ expr: alias('f') }, { expr: alias('place') }],
    limit: query.limit * query.fields.length,
  };
}

function countedCells(query: FacetQuery, source: EventSourceSchema): Select {
  const part = (index: number): SqlExpr => call('tupleElement', alias('cell'), constant(index));
  const cells = cellsOfEvents(query, source);
  const isWeighed = cells.columns.some(({ as }) => as === 'weight');
  return {
    columns: [
      { as: 'f', expr: part(1) },
      { as: 'v', expr: part(2) },
      { as: 'n', expr: isWeighed ? call('sum', alias('weight')) : call('count') },
    ],
    from: { kind: 'select', select: cells },
    unfold: { array: 'row_cells', as: 'cell' },
    where: [binary(part(2), '!=', emptyText)],
    groupBy: [alias('f'), alias('v')],
  };
}

function cellsOfEvents({ fields, range, where, whereLanguage, slices }: FacetQuery, source: EventSourceSchema): Select {
  const scope = scopeOf(source, source.table);
  const read = readEvents(source, scope, range);
  const filter = inText('where', () => compileWhere(where, whereLanguage, scope));
  const inSlices = slices.map((slice) => and(boundTime(source.table, source, slice)));
  const cells = fields.map((field, index) =>
    call(
      'tuple',
      call('toInt64', constant(index)),
      inText(`fields.${index}`, () => fieldText(field, scope)),
    ),
  );
  const weight = sampleWeight(source, scope);
  return {
    columns: [
      { as: 'row_cells', expr: call('array', ...cells) },
      ...(weight === undefined ? [] : [{ as: 'weight', expr: weight }]),
    ],
    from: read.from,
    where: [...read.where, ...(inSlices.length > 0 ? [or(inSlices)] : []), ...(filter === undefined ? [] : [filter])],
  };
}

/** A field as text, '' for missing. Throws `QueryTextError`. */
export function fieldText(field: string, scope: Scope): SqlExpr {
  const value = compileField(field, scope);
  const text = call('toString', asText(value).sql);
  return value.nullable ? call('ifNull', text, emptyText) : text;
}

/** How many events the range holds: one column `n`. The engine counts whole granules from the primary index. */
export function planEventCount(query: Pick<FacetQuery, 'range'>, source: EventSourceSchema): Select {
  const { from, where } = readEvents(source, scopeOf(source, source.table), query.range);
  return { columns: [{ as: 'n', expr: call('count') }], from: { ...from, mayBeProjected: true }, where, limit: 1 };
}
