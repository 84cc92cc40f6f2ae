import type { SavedSearchFilter } from '../../contract/saved-search.ts';
import type { TextExpr } from '../../query/ast/text-expr.ts';
import { QueryTextError, textProblem } from '../../query/compiled-query.ts';
import { parseSqlCondition } from '../../query/sql/parse-sql.ts';

const wanted = 'must be one SQL condition: field IN (…), field NOT IN (…) or field BETWEEN number AND number.';

/**
 * What is wrong with the filters, as `path: reason`; `undefined` when nothing is. Those that are stored already stay
 * as they are, whatever they say (contract §8).
 */
export function filtersProblem(
  filters: readonly SavedSearchFilter[],
  stored: readonly SavedSearchFilter[],
): string | undefined {
  const known = new Set(stored.map(identityOf));
  for (const [index, filter] of filters.entries()) {
    const problem = known.has(identityOf(filter)) ? undefined : filterProblem(filter);
    if (problem) return `filters.${index}.${problem}`;
  }
  return undefined;
}

function identityOf(filter: SavedSearchFilter): string {
  return 'condition' in filter
    ? JSON.stringify([filter.type ?? 'sql', filter.condition])
    : JSON.stringify([filter.type, filter.operator, filter.left, filter.right]);
}

function filterProblem(filter: SavedSearchFilter): string | undefined {
  if (!('condition' in filter) || filter.type === 'lucene') return `type: a new filter ${wanted}`;
  try {
    return isChoiceOrRange(parseSqlCondition(filter.condition)) ? undefined : `condition: ${wanted}`;
  } catch (error) {
    if (error instanceof QueryTextError) return `condition: ${textProblem(error)}`;
    throw error;
  }
}

function isChoiceOrRange(tree: TextExpr): boolean {
  if (tree.kind === 'not') return tree.item.kind === 'in' && isChoiceOrRange(tree.item);
  if (tree.kind === 'in') return tree.item.kind === 'name' && tree.options.every(({ kind }) => kind === 'literal');
  return tree.kind === 'allOf' && isRange(tree.items);
}

/** The parser reads `x BETWEEN 1 AND 2` as `x >= 1 AND x <= 2`. */
function isRange([low, high, ...more]: readonly TextExpr[]): boolean {
  if (low?.kind !== 'compare' || high?.kind !== 'compare' || more.length > 0) return false;
  const [from, to] = [low.left, high.left];
  const sameField = from.kind === 'name' && to.kind === 'name' && from.name === to.name && from.key === to.key;
  return sameField && low.operator === '>=' && high.operator === '<=' && isNumber(low.right) && isNumber(high.right);
}

function isNumber(expr: TextExpr): boolean {
  return expr.kind === 'literal' && expr.type === 'number';
}
