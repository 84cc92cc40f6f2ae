import { quoteName } from '../../kernel/sql-quoting.ts';
import { QueryTextError } from '../compiled-query.ts';
import type { SqlToken } from './sql-token.ts';
import type { TemplateScope, VariableValues } from './template-scope.ts';

/** Hands out placeholders for values of variables. */
export type TakeText = (text: string) => string;

type Reference = Pick<SqlToken, 'value' | 'form' | 'start' | 'end'>;

/** Throws `QueryTextError` that lists the variables that there are. */
export function variableOf({ value, start, end }: Reference, { variables }: TemplateScope): VariableValues {
  const found = variables.get(value);
  if (found) return found;
  const names = [...variables.keys()].map((name) => `$${name}`).join(', ');
  const known = names === '' ? 'the dashboard has none' : `the dashboard has ${names}`;
  throw new QueryTextError(`there is no variable $${value}; ${known}`, start, end);
}

/**
 * A variable in the place of a value: its values as a list, NULL when none is chosen. `csv` writes names or numbers, such as
 * a column to group by; `regex` a pattern that matches any of the values.
 */
export function writeVariable(token: Reference, scope: TemplateScope, take: TakeText): string {
  const { values } = variableOf(token, scope);
  switch (token.form) {
    case undefined:
    case 'sqlstring':
      return values.length === 0 ? 'NULL' : values.map(take).join(', ');
    case 'regex':
      return take(patternOf(values));
    case 'csv':
      if (values.length === 0) throw noName(token);
      return values.map((value) => writeName(value, token)).join(', ');
    default:
      throw unknownForm(token);
  }
}

/** A variable inside a text in quotes, of which it stays a part. */
export function variableInText(token: Reference, scope: TemplateScope): string {
  const { values } = variableOf(token, scope);
  if (token.form === undefined || token.form === 'csv') return values.join(',');
  if (token.form === 'regex') return patternOf(values);
  throw unknownForm(token);
}

function patternOf(values: readonly string[]): string {
  if (values.length === 0) return '.*';
  const escaped = values.map((value) => value.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return escaped.length === 1 ? (escaped[0] ?? '') : `(${escaped.join('|')})`;
}

/** A column or a number, and nothing else: it is read as SQL. */
function writeName(value: string, { value: name, start, end }: Reference): string {
  if (/^-?[0-9]{1,19}(\.[0-9]{1,19})?$/.test(value)) return value;
  if (/^[A-Za-z_]\w*(\.[A-Za-z_]\w*)?$/.test(value)) return value.split('.').map(quoteName).join('.');
  throw new QueryTextError(
    `\${${name}:csv} takes names of columns and numbers only, not ${JSON.stringify(value.slice(0, 80))}; write $${name} for a text`,
    start,
    end,
  );
}

function noName({ value, start, end }: Reference): QueryTextError {
  return new QueryTextError(`choose a value of $${value}: this statement takes a name from it`, start, end);
}

function unknownForm({ value, form, start, end }: Reference): QueryTextError {
  return new QueryTextError(`\${${value}:${form}} is not known in SQL; use csv, regex or sqlstring`, start, end);
}
