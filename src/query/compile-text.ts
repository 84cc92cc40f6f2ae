import type { TextExpr } from './ast/text-expr.ts';
import type { Condition, WhereLanguage } from './chart-query.ts';
import { inText, QueryTextError } from './compiled-query.ts';
import { lowerCondition, lowerValue } from './lower/lower-expression.ts';
import type { Typed } from './lower/typed.ts';
import { parseLucene } from './lucene/parse-lucene.ts';
import { deriveSeverity } from './passes/derive-severity.ts';
import { promoteColumns } from './passes/promote-columns.ts';
import { resolveFields } from './passes/resolve-fields.ts';
import { useItemIndex } from './passes/use-item-index.ts';
import type { SqlExpr } from './plan/sql-expr.ts';
import type { Scope } from './schema/scope.ts';
import { parseSqlCondition, parseSqlValue } from './sql/parse-sql.ts';

/** What happens to the tree of a text between parsing and SQL, in this order. */
export const textPasses: readonly ((tree: TextExpr, scope: Scope) => TextExpr)[] = [
  resolveFields,
  deriveSeverity,
  promoteColumns,
  useItemIndex,
];

/** A `where` text as a condition over the table; `undefined` when it matches everything. Throws `QueryTextError`. */
export function compileWhere(where: string, language: WhereLanguage, scope: Scope): SqlExpr | undefined {
  const tree = language === 'sql' ? parseSqlCondition(where) : parseLucene(where);
  if (tree.kind === 'everything') return undefined;
  return compileCondition(tree, scope);
}

/** The filters that hold for all series of a query. Throws `QueryTextError` with the path of the text. */
export function compileConditions(conditions: readonly Condition[] | undefined, scope: Scope): SqlExpr[] {
  return (conditions ?? []).flatMap(
    ({ where, whereLanguage, path }) => inText(path, () => compileWhere(where, whereLanguage, scope)) ?? [],
  );
}

/** A `field` or `groupBy` text as a value over the table. Throws `QueryTextError`. */
export function compileField(text: string, scope: Scope): Typed {
  const value = compileValue(text, scope);
  if (value.base === 'interval') throw new QueryTextError('an interval is no value of an event', 0, text.length);
  if (value.base !== 'map') return value;
  throw new QueryTextError(`"${text}" is a map: name a key, like ${text}['key']`, 0, text.length);
}

/** The text of a column to show, which may be a whole map. Throws `QueryTextError`. */
export function compileValue(text: string, scope: Scope): Typed {
  return compileTree(parseSqlValue(text), scope);
}

/** The tree of a value, or of a part of one. Throws `QueryTextError`. */
export function compileTree(tree: TextExpr, scope: Scope): Typed {
  return lowerValue(runPasses(tree, scope), scope);
}

/** The tree of a condition, or of a part of one. Throws `QueryTextError`. */
export function compileCondition(tree: TextExpr, scope: Scope): SqlExpr {
  return lowerCondition(runPasses(tree, scope), scope);
}

function runPasses(tree: TextExpr, scope: Scope): TextExpr {
  return textPasses.reduce((current, pass) => pass(current, scope), tree);
}
