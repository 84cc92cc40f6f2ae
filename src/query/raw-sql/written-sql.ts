import { quoteName, quoteText } from '../../kernel/sql-quoting.ts';
import type { Span } from '../ast/text-expr.ts';
import type { SqlToken } from './sql-token.ts';

/** A piece of the statement that is sent, and the part of the person's text that it comes from. */
export interface SqlPiece {
  readonly text: string;
  readonly glued: boolean;
  readonly origin: Span;
}

/** A token as the engine reads it: texts and names are quoted by us. */
export function pieceOf({ kind, value, form, glued, start, end }: SqlToken): SqlPiece {
  const origin = { start, end };
  switch (kind) {
    case 'text':
      return { text: quoteText(value), glued, origin };
    case 'quotedName':
      return { text: quoteName(value), glued, origin };
    case 'parameter':
      return { text: `{${value}:${form}}`, glued, origin };
    default:
      return { text: value, glued, origin };
  }
}

/** The statement, and for each of its characters the place in the person's text. */
export class WrittenSql {
  readonly sql: string;
  readonly #starts: readonly number[];
  readonly #origins: readonly Span[];

  constructor(pieces: readonly SqlPiece[]) {
    const starts: number[] = [];
    let sql = '';
    for (const { text, glued } of pieces) {
      if (!glued && sql !== '') sql += ' ';
      starts.push(sql.length);
      sql += text;
    }
    this.sql = sql;
    this.#starts = starts;
    this.#origins = pieces.map(({ origin }) => origin);
  }

  /** Where the piece that holds this character comes from; `undefined` beyond the statement. */
  originOf(at: number): Span | undefined {
    if (at < 0 || at >= this.sql.length) return undefined;
    const next = this.#starts.findIndex((start) => start > at);
    return this.#origins[(next < 0 ? this.#origins.length : next) - 1];
  }
}
