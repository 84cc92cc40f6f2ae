import { quoteText } from '../../kernel/sql-quoting.ts';
import { compileField } from '../compile-text.ts';
import { asText } from '../lower/typed.ts';
import type { Scope } from '../schema/scope.ts';
import { binary, call, emptyText, type SqlExpr } from './sql-expr.ts';

/** An attribute of the span itself as text, '' where it is missing; nothing for a source without attributes. */
export function attributeText(key: string, scope: Scope): SqlExpr[] {
  const [own] = scope.attributeColumns;
  if (own === undefined) return [];
  const { sql, nullable } = asText(compileField(`${own}[${quoteText(key)}]`, scope));
  return [nullable ? call('ifNull', sql, emptyText) : sql];
}

/** The first that is not ''. */
export function firstText(texts: readonly SqlExpr[]): SqlExpr {
  return texts.reduceRight((rest, text) => call('if', binary(text, '!=', emptyText), text, rest), emptyText);
}
