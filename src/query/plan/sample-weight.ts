import { compileField } from '../compile-text.ts';
import { inText, sampleRatePath } from '../compiled-query.ts';
import { asNumber } from '../lower/typed.ts';
import type { Scope } from '../schema/scope.ts';
import type { EventSourceSchema } from '../source-schema.ts';
import { call, constant, type SqlExpr } from './sql-expr.ts';

/** The largest weight of a span: a broken rate must not push every other span out of a chart. */
const weightMax = 1e9;

/**
 * How many events each row of a sampled source represents; less, or a value that is not a number, weighs 1. `undefined`
 * where nothing is sampled. Throws `QueryTextError` (`sampleRatePath`) for a text that is not a value.
 */
export function sampleWeight({ sampleRate }: EventSourceSchema, scope: Scope): SqlExpr | undefined {
  if (sampleRate === undefined) return undefined;
  const { sql, nullable } = inText(sampleRatePath, () => asNumber(compileField(sampleRate, scope)));
  const known = nullable ? call('ifNull', sql, constant(1)) : sql;
  return call('toUInt64', call('least', call('greatest', known, constant(1)), constant(weightMax)));
}
