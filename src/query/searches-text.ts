import type { TextExpr } from './ast/text-expr.ts';
import type { WhereLanguage } from './chart-query.ts';
import { parseLucene } from './lucene/parse-lucene.ts';
import { parseSqlCondition } from './sql/parse-sql.ts';

/** Whether a `where` looks for words or patterns in texts. Throws `QueryTextError` for what does not parse. */
export function searchesText(where: string, language: WhereLanguage): boolean {
  return looksInside(language === 'sql' ? parseSqlCondition(where) : parseLucene(where));
}

function looksInside(expr: TextExpr): boolean {
  switch (expr.kind) {
    case 'words':
    case 'like':
    case 'regex':
      return true;
    case 'match':
      return expr.test.test === 'pattern' && expr.test.pattern.pieces.length > 1;
    case 'allOf':
    case 'anyOf':
      return expr.items.some(looksInside);
    case 'not':
      return looksInside(expr.item);
    default:
      return false;
  }
}
