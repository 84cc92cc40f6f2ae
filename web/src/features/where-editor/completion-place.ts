import { lucenePhrase, sqlText, type WhereLanguage } from '../search/where-clause.ts';

/** What is being written at the cursor: a name, or a value of a field. Replaced is the text from `from` on. */
export type CompletionPlace =
  | { kind: 'field'; from: number; prefix: string }
  | { kind: 'value'; field: string; from: number; prefix: string; quote: boolean };

/** @returns `undefined` where there is nothing to complete, as inside a quoted phrase of Lucene without a field */
export function completionPlace(textBefore: string, language: WhereLanguage): CompletionPlace | undefined {
  return language === 'sql' ? sqlPlace(textBefore) : lucenePlace(textBefore);
}

function lucenePlace(text: string): CompletionPlace | undefined {
  const value = /(?:^|[\s(])[-+!]?([A-Za-z_][\w.\-/@]*):(?:[<>]=?)?("?)([^"\s()]*|(?<=")[^"]*)$/.exec(text);
  if (value?.[1] !== undefined) {
    const prefix = value[3] ?? '';
    const quote = value[2] === '"';
    return { kind: 'value', field: value[1], from: text.length - prefix.length - (quote ? 1 : 0), prefix, quote };
  }
  if ((text.match(/"/g)?.length ?? 0) % 2 === 1) return undefined;
  const prefix = nameAtEnd(text, /[\w.\-/@]/);
  return { kind: 'field', from: text.length - prefix.length, prefix };
}

const sqlValue =
  /([A-Za-z_][\w.]*(?:\['[^']*'\])?)\s*(?:=|!=|<>|\bNOT\s+I?LIKE|\bI?LIKE|\b(?:NOT\s+)?IN\s*\((?:\s*'[^']*'\s*,)*)\s*('?)([^'\s()=]*|(?<=')[^']*)$/i;

/** The pattern tries every beginning of a name, so it sees only as much text as a condition usually has. */
const sqlValueMax = 2000;

function sqlPlace(text: string): CompletionPlace | undefined {
  const value = sqlValue.exec(text.slice(-sqlValueMax));
  if (value?.[1] !== undefined) {
    const prefix = value[3] ?? '';
    const quote = value[2] === "'";
    return { kind: 'value', field: value[1], from: text.length - prefix.length - (quote ? 1 : 0), prefix, quote };
  }
  if ((text.match(/'/g)?.length ?? 0) % 2 === 1) return undefined;
  const prefix = nameAtEnd(text, /[\w.]/);
  return { kind: 'field', from: text.length - prefix.length, prefix };
}

/** The name that ends where the text does: it begins with a letter, its characters match `part`. */
function nameAtEnd(text: string, part: RegExp): string {
  let from = text.length;
  while (from > 0 && part.test(text.charAt(from - 1))) from--;
  const run = text.slice(from);
  const first = run.search(/[A-Za-z_]/);
  return first < 0 ? '' : run.slice(first);
}

/** A value as it is written in the text of that language. */
export function writtenValue(value: string, language: WhereLanguage): string {
  if (language === 'sql') return sqlText(value);
  const isPlain = /^[A-Za-z0-9_][\w.-]*$/.test(value) && !['AND', 'OR', 'NOT'].includes(value);
  return isPlain ? value : lucenePhrase(value);
}
