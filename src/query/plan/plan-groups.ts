import type { ChartQuery } from '../chart-query.ts';
import { compileField } from '../compile-text.ts';
import { inText } from '../compiled-query.ts';
import { asText } from '../lower/typed.ts';
import type { Scope } from '../schema/scope.ts';
import type { OutputColumn } from './select.ts';
import { alias, call, emptyText, type SqlExpr } from './sql-expr.ts';

/** Group values as text, '' for missing (C1: always strings). */
export function planGroups(query: ChartQuery, scope: Scope): OutputColumn[] {
  return query.groupBy.map((text, index) => {
    const value = inText(`groupBy.${index}`, () => compileField(text, scope));
    const string = isString(value.sql, scope) ? value.sql : call('toString', asText(value).sql);
    return { as: `g${index}`, expr: value.nullable ? call('ifNull', string, emptyText) : string };
  });
}

/** As it is such a column groups faster: in a dictionary the engine compares numbers. */
function isString(sql: SqlExpr, { table }: Scope): boolean {
  return sql.kind === 'column' && /^(String|LowCardinality\(String\))$/.test(table.columns.get(sql.name) ?? '');
}

/** The key of a result row: bucket and group. */
export function bucketAndGroup(groups: readonly OutputColumn[]): SqlExpr[] {
  return ['ts', ...groups.map(({ as }) => as)].map(alias);
}
