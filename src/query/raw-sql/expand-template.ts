import type { Span } from '../ast/text-expr.ts';
import { QueryTextError } from '../compiled-query.ts';
import { checkGrowth } from './check-growth.ts';
import { checkOutline, isSign } from './check-outline.ts';
import { readVariable } from './read-sql-token.ts';
import { readSqlTokens } from './read-sql-tokens.ts';
import type { SqlToken } from './sql-token.ts';
import { ownParameters, parameterTypes, templateParameters, timeMacros, writeSourceTable } from './template-macros.ts';
import type { TemplateScope } from './template-scope.ts';
import { variableInText, variableOf, writeVariable } from './write-variable.ts';
import { pieceOf, type SqlPiece, WrittenSql } from './written-sql.ts';

/** A statement with its macros and variables replaced; values are parameters. */
export interface ExpandedTemplate {
  written: WrittenSql;
  params: Readonly<Record<string, string>>;
}

export const macroNames: readonly string[] = [
  ...timeMacros.keys(),
  ...['filters', 'sourceTable', 'filter', 'conditionalAll'],
];

/** Throws `QueryTextError` with the position in `template`. */
export function expandTemplate(template: string, scope: TemplateScope): ExpandedTemplate {
  const tokens = checkOutline(readSqlTokens(template), template.length);
  checkGrowth(tokens);
  const expansion = new Expansion(scope);
  const written = new WrittenSql(expansion.pieces(tokens));
  return { written, params: { ...expansion.params, ...parameterValues(written.sql, scope) } };
}

function parameterValues(sql: string, scope: TemplateScope): Record<string, string> {
  const used = Object.entries(templateParameters).filter(([name]) => sql.includes(`{${name}:`));
  return Object.fromEntries(used.map(([name, read]) => [name, String(read(scope))]));
}

/** One expansion: what is put in is not looked at again, so that no value can be a macro. */
class Expansion {
  readonly params: Record<string, string> = {};
  readonly #scope: TemplateScope;
  #texts = 0;

  constructor(scope: TemplateScope) {
    this.#scope = scope;
  }

  pieces(tokens: readonly SqlToken[]): SqlPiece[] {
    const pieces: SqlPiece[] = [];
    for (let index = 0; index < tokens.length; ) {
      const token = tokens[index];
      if (!token) break;
      const args = token.kind === 'macro' ? readArguments(tokens, index) : undefined;
      const origin = { start: token.start, end: args?.end ?? token.end };
      pieces.push(args ? { text: this.#macro(token, args, origin), glued: token.glued, origin } : this.#single(token));
      index = args?.next ?? index + 1;
    }
    return pieces;
  }

  #single(token: SqlToken): SqlPiece {
    const { kind, value, form, start, end, glued } = token;
    if (kind === 'variable') {
      return { text: writeVariable(token, this.#scope, this.#take), glued, origin: { start, end } };
    }
    if (kind === 'parameter' && !(ownParameters.has(value) && parameterTypes.has(form ?? ''))) {
      const known = [...ownParameters].map((name) => `{${name}:Int64}`).join(', ');
      throw new QueryTextError(`there is no parameter {${value}:${form}}; there are ${known}`, start, end);
    }
    return pieceOf(kind === 'text' ? { ...token, value: this.#text(token) } : token);
  }

  readonly #take = (text: string): string => {
    const name = `v${++this.#texts}`;
    this.params[name] = text;
    return `{${name}:String}`;
  };

  /** Variables in a text in quotes are replaced too, where the dashboard has them: other dollar signs are text. */
  #text({ value, start, end }: SqlToken): string {
    return value.replaceAll(/\$(?:[A-Za-z]\w*|\{[^{}]*\})/g, (part) => {
      const found = variableIn(part);
      if (!found || !this.#scope.variables.has(found.value)) return part;
      return variableInText({ ...found, start, end }, this.#scope);
    });
  }

  #macro(token: SqlToken, { lists }: Arguments, origin: Span): string {
    return withOrigin(origin, () => {
      const { value: name } = token;
      const time = timeMacros.get(name);
      if (time) {
        expectArguments(name, lists.length, time.args, time.args);
        return time.write(
          lists.map((list) => this.#argument(list)),
          this.#scope,
        );
      }
      return this.#otherMacro(name, lists);
    });
  }

  #otherMacro(name: string, lists: Arguments['lists']): string {
    switch (name) {
      case 'filters': {
        expectArguments(name, lists.length, 0, 0);
        const condition = this.#scope.filters();
        Object.assign(this.params, condition?.params);
        return condition ? `(${condition.sql})` : '(1 = 1)';
      }
      case 'sourceTable':
        expectArguments(name, lists.length, 0, 1);
        return writeSourceTable(lists[0]?.map(({ value }) => value).join(' '), this.#scope);
      case 'filter':
        expectArguments(name, lists.length, 1, 2);
        return this.#filter(lists);
      case 'conditionalAll': {
        expectArguments(name, lists.length, 2, 2);
        const [condition = [], variable = []] = lists;
        const sql = this.#argument(condition);
        return variableOf(onlyVariable(name, variable), this.#scope).values.length === 0 ? '(1 = 1)' : `(${sql})`;
      }
      default:
        throw new QueryTextError(
          `there is no macro $__${name}; there are ${macroNames.map((known) => `$__${known}`).join(', ')}`,
        );
    }
  }

  #filter(lists: Arguments['lists']): string {
    const token = onlyVariable('filter', lists.at(-1) ?? []);
    const { values } = variableOf(token, this.#scope);
    const [compared] = lists.length === 2 ? lists : [];
    const expression = compared && this.#argument(compared);
    if (values.length === 0) return '(1 = 1)';
    if (expression !== undefined) return `(${expression} IN (${values.map(this.#take).join(', ')}))`;
    const { sql, params } = this.#scope.variableFilter(token.value);
    Object.assign(this.params, params);
    return `(${sql})`;
  }

  /** In parentheses unless it is one token, so that it stays together whatever surrounds it. */
  #argument(tokens: readonly SqlToken[]): string {
    const { sql } = new WrittenSql(this.pieces(tokens));
    return tokens.length === 1 ? sql : `(${sql})`;
  }
}

function variableIn(text: string) {
  try {
    const token = readVariable(text, 0);
    return token.kind === 'variable' && token.end === text.length ? token : undefined;
  } catch (error) {
    if (error instanceof QueryTextError) return undefined;
    throw error;
  }
}

function withOrigin<T>({ start, end }: Span, write: () => T): T {
  try {
    return write();
  } catch (error) {
    if (!(error instanceof QueryTextError) || error.position !== undefined) throw error;
    throw new QueryTextError(error.message, start, end, error.where);
  }
}

function onlyVariable(macro: string, tokens: readonly SqlToken[]): SqlToken {
  const [token] = tokens;
  if (token?.kind === 'variable' && tokens.length === 1) return token;
  throw new QueryTextError(`the last argument of $__${macro} must be a variable such as $service`);
}

function expectArguments(name: string, given: number, least: number, most: number): void {
  if (given >= least && given <= most) return;
  const wanted = least === most ? (least === 0 ? 'no' : String(least)) : `${least} or ${most}`;
  throw new QueryTextError(`$__${name} takes ${wanted} argument${most === 1 ? '' : 's'}, not ${given}`);
}

interface Arguments {
  lists: readonly (readonly SqlToken[])[];
  /** Index of the token after them, and where the text of the macro ends. */
  next: number;
  end: number;
}

/** The arguments of the macro at `index`, split at the commas between them; none if no parenthesis follows. */
function readArguments(tokens: readonly SqlToken[], index: number): Arguments {
  const macro = tokens[index];
  if (!isSign(tokens[index + 1], '(')) return { lists: [], next: index + 1, end: macro?.end ?? 0 };
  const lists: SqlToken[][] = [[]];
  let depth = 0;
  for (let at = index + 1; at < tokens.length; at++) {
    const token = tokens[at];
    if (!token) break;
    if (isSign(token, '(') || isSign(token, '[')) depth++;
    if (isSign(token, ')') || isSign(token, ']')) depth--;
    if (depth === 0) return { lists: filled(lists, token), next: at + 1, end: token.end };
    if (depth === 1 && isSign(token, ',')) lists.push([]);
    else if (at > index + 1) lists.at(-1)?.push(token);
  }
  throw new Error('the parentheses of a statement were checked');
}

function filled(lists: SqlToken[][], { start, end }: Span): SqlToken[][] {
  if (lists.length === 1 && lists[0]?.length === 0) return [];
  if (lists.every((list) => list.length > 0)) return lists;
  throw new QueryTextError('an argument is missing', start, end);
}
