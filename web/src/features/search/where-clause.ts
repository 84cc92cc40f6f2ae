export type WhereLanguage = 'lucene' | 'sql';

/** A column or attribute, written for both languages. */
export interface FilterField {
  /** As Lucene writes it: `LogAttributes.http.route`. */
  name: string;
  /** As SQL writes it: `LogAttributes['http.route']`. */
  sql: string;
  type: 'string' | 'number' | 'boolean' | 'date' | 'map' | 'array';
}

/** An expression as filters write it; its Lucene name is empty where it has none. */
export function fieldOf(expression: string): FilterField {
  const sql = expression.trim();
  const [, map, key] = /^(\w+)\['((?:[^'\\])+)'\]$/.exec(sql) ?? [];
  const name = map && key ? `${map}.${key}` : /^[A-Za-z_][\w.]*$/.test(sql) ? sql : '';
  return { name, sql, type: 'string' };
}

export interface ClauseTest {
  field: FilterField;
  value: string;
  mode: 'include' | 'exclude';
}

/** Text as a quoted SQL literal. */
export function sqlText(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** Text as a quoted Lucene phrase, which matches the whole value. */
export function lucenePhrase(value: string): string {
  return `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

/** One condition in the given language. */
export function clauseOf({ field, value, mode }: ClauseTest, language: WhereLanguage): string {
  if (language === 'sql') return `${field.sql} ${mode === 'include' ? '=' : '!='} ${sqlValue(field, value)}`;
  return `${mode === 'include' ? '' : '-'}${luceneName(field.name)}:${lucenePhrase(value)}`;
}

function sqlValue({ type }: FilterField, value: string): string {
  if (type === 'number' && /^-?\d+(\.\d+)?$/.test(value)) return value;
  if (type === 'boolean' && /^(true|false)$/.test(value)) return value;
  return sqlText(value);
}

function luceneName(name: string): string {
  return name.replace(/[\s\\:"(){}[\]*<>=]|^[-+!]/g, (char) => `\\${char}`);
}

/**
 * The filter narrowed by one more condition. The same condition again takes it away; its opposite takes its place. What
 * is there keeps its meaning: an OR goes into parentheses.
 */
export function toggleClause(where: string, test: ClauseTest, language: WhereLanguage): string {
  const clause = clauseOf(test, language);
  const opposite = clauseOf({ ...test, mode: test.mode === 'include' ? 'exclude' : 'include' }, language);
  const parts = splitAnd(where, language);
  if (parts?.includes(clause)) return join(without(parts, clause), language);
  if (parts?.includes(opposite)) return join([...without(parts, opposite), clause], language);
  if (parts) return join([...parts, clause], language);
  return join([`(${where.trim()})`, clause], language);
}

/** Numbers from `low`, included, to `high`, not included. */
export function rangeClause(
  { name, sql }: FilterField,
  { low, high }: { low: number; high: number },
  language: WhereLanguage,
): string {
  return language === 'sql' ? `${sql} >= ${low} AND ${sql} < ${high}` : `${luceneName(name)}:[${low} TO ${high}}`;
}

/** The filter narrowed to a range of numbers. */
export function withRange(
  where: string,
  field: FilterField,
  range: { low: number; high: number },
  language: WhereLanguage,
): string {
  const clause = rangeClause(field, range, language);
  return where.trim() === '' ? clause : join([`(${where.trim()})`, clause], language);
}

/**
 * The filter narrowed to texts that match a regular expression; a blank filter becomes SQL where Lucene has no name for
 * the text. `undefined` where the filter's language has none.
 */
export function withRegex(
  { where, language }: { where: string; language: WhereLanguage },
  { name, sql }: FilterField,
  regex: string,
): { where: string; language: WhereLanguage } | undefined {
  const isBlank = where.trim() === '';
  const used = isBlank && name === '' ? 'sql' : language;
  if (used === 'lucene' && name === '') return undefined;
  const clause =
    used === 'sql' ? `match(${sql}, ${sqlText(regex)})` : `${luceneName(name)}:/${regex.replaceAll('/', '\\/')}/`;
  return { where: isBlank ? clause : join([`(${where.trim()})`, clause], used), language: used };
}

/** Whether a condition of this filter already says it. */
export function stateOfValue(
  where: string,
  field: FilterField,
  value: string,
  language: WhereLanguage,
): ClauseTest['mode'] | undefined {
  const parts = splitAnd(where, language) ?? [];
  const modes: ClauseTest['mode'][] = ['include', 'exclude'];
  return modes.find((mode) => parts.includes(clauseOf({ field, value, mode }, language)));
}

function without(parts: readonly string[], clause: string): string[] {
  return parts.filter((part) => part !== clause);
}

function join(parts: readonly string[], language: WhereLanguage): string {
  return parts.join(language === 'sql' ? ' AND ' : ' ');
}

/** The conditions that all must hold, as written; `undefined` if an OR separates them. */
function splitAnd(where: string, language: WhereLanguage): string[] | undefined {
  const words = wordsOf(where);
  const isWord = (word: string, name: string) => (language === 'sql' ? word.toUpperCase() : word) === name;
  if (words.some((word) => isWord(word, 'OR') || word === '||')) return undefined;
  if (language === 'lucene') return joinNot(words.filter((word) => word !== 'AND' && word !== '&&'));
  // BETWEEN contains an AND: such a filter stays in one piece.
  if (words.some((word) => isWord(word, 'BETWEEN'))) return [where.trim()];
  const parts: string[][] = [[]];
  for (const word of words) {
    if (isWord(word, 'AND')) parts.push([]);
    else parts.at(-1)?.push(word);
  }
  return parts.map((part) => part.join(' ')).filter((part) => part !== '');
}

function joinNot(words: readonly string[]): string[] {
  const parts: string[] = [];
  for (const word of words) {
    const last = parts.at(-1);
    if (last !== undefined && /(^| )NOT$/.test(last)) parts[parts.length - 1] = `${last} ${word}`;
    else parts.push(word);
  }
  return parts;
}

/** Splits at blanks outside quotes and brackets. */
function wordsOf(text: string): string[] {
  const words: string[] = [];
  let word = '';
  let quote = '';
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? '';
    if (char === '\\') {
      word += char + (text[++at] ?? '');
      continue;
    }
    if (quote !== '') quote = char === quote ? '' : quote;
    else if (char === '"' || char === "'" || char === '`') quote = char;
    else if ('([{'.includes(char)) depth++;
    else if (')]}'.includes(char)) depth--;
    if (quote === '' && depth <= 0 && /\s/.test(char)) {
      if (word !== '') words.push(word);
      word = '';
    } else word += char;
  }
  return word === '' ? words : [...words, word];
}
