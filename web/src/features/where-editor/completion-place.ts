export type WhereLanguage = 'lucene' | 'sql';

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
  const prefix = /[A-Za-z_][\w.\-/@]*$/.exec(text)?.[0] ?? '';
  return { kind: 'field', from: text.length - prefix.length, prefix };
}

const sqlValue =
  /([A-Za-z_][\w.]*(?:\['[^']*'\])?)\s*(?:=|!=|<>|\bNOT\s+I?LIKE|\bI?LIKE|\b(?:NOT\s+)?IN\s*\((?:\s*'[^']*'\s*,)*)\s*('?)([^'\s()=]*|(?<=')[^']*)$/i;

function sqlPlace(text: string): CompletionPlace | undefined {
  const value = sqlValue.exec(text);
  if (value?.[1] !== undefined) {
    const prefix = value[3] ?? '';
    const quote = value[2] === "'";
    return { kind: 'value', field: value[1], from: text.length - prefix.length - (quote ? 1 : 0), prefix, quote };
  }
  if ((text.match(/'/g)?.length ?? 0) % 2 === 1) return undefined;
  const prefix = /[A-Za-z_][\w.]*$/.exec(text)?.[0] ?? '';
  return { kind: 'field', from: text.length - prefix.length, prefix };
}

/** A value as it is written in the text of that language. */
export function writtenValue(value: string, language: WhereLanguage): string {
  if (language === 'sql') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
  const isPlain = /^[A-Za-z0-9_][\w.-]*$/.test(value) && !['AND', 'OR', 'NOT'].includes(value);
  return isPlain ? value : `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
