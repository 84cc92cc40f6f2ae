import { severityNumbers, severityRanges } from '../../kernel/severity-names.ts';
import { severityColumns } from '../passes/derive-severity.ts';
import { binary, call, column, constant, emptyText, type SqlExpr, textValue } from '../plan/sql-expr.ts';
import type { Typed } from './typed.ts';

const text = column(severityColumns.text);
const number = column(severityColumns.number);
const none = constant(0);

const words = call('array', ...[...severityNumbers.keys()].map(textValue));
const wordNumbers = call('array', ...[...severityNumbers.values()].map(constant));
const names = call('array', emptyText, ...severityRanges.map(textValue));

/** Numbers outside 1 to 24 are not severities and have no name. */
const nameOfNumber: SqlExpr = call(
  'arrayElement',
  names,
  binary(call('intDiv', binary(call('greatest', number, none), '+', constant(3)), constant(4)), '+', constant(1)),
);

/** The text, else the name of the range in which the number lies. */
export const severityText: Typed = {
  sql: call('if', binary(text, '!=', emptyText), call('toString', text), nameOfNumber),
  base: 'text',
  nullable: false,
};

/** The number, else the one derived from the text; 0 = none. */
export const severityNumber: Typed = {
  sql: call(
    'if',
    binary(number, '!=', none),
    call('toInt64', number),
    call('toInt64', call('transform', call('lower', text), words, wordNumbers, none)),
  ),
  base: 'integer',
  nullable: false,
};
