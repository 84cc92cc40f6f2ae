/** What the engine objects to in a statement, fit for the person who wrote it. */
export interface EngineObjection {
  message: string;
  /** Character of the statement that was sent, from 0. */
  at?: number;
  /** A name of the statement that it is about. */
  name?: string;
}

/** ClickHouse codes of what is wrong with a statement itself, found before any row is read. */
const sentences: Readonly<Record<number, string>> = {
  6: 'a text is not of the type that is needed here',
  10: 'there is no such column in the rows of the inner query',
  20: 'a number is out of range',
  27: 'a text cannot be parsed as the type that is needed here',
  35: 'a function has too few arguments',
  36: 'a function got an argument that it does not accept',
  41: 'a text is no date and time',
  42: 'a function has the wrong number of arguments',
  43: 'a function got an argument of a type that it does not accept',
  44: 'a function needs a constant, or a column, where it has the other',
  46: 'there is no such function',
  47: 'there is no such column or alias',
  48: 'this is not supported by the database',
  50: 'there is no such type',
  53: 'two values have types that do not match',
  60: 'there is no such table',
  63: 'there is no such aggregate function',
  69: 'an argument is out of range',
  70: 'a value cannot be converted to the type that is needed here',
  80: 'this query cannot be run as it is written',
  81: 'there is no such database',
  125: 'a subquery must return one column here',
  128: 'a list is longer than allowed',
  131: 'a text is longer than allowed',
  153: 'a division by zero',
  167: 'the statement is nested too deeply',
  168: 'the statement is too long',
  179: 'two expressions have the same alias',
  184: 'an aggregate cannot be used inside an aggregate, or in WHERE',
  207: 'this name means more than one column; put the table or its alias before it',
  215: 'this column is neither grouped by nor inside an aggregate',
  258: 'the parts of the UNION have different columns',
  306: 'the statement is nested too deeply',
  352: 'this name means more than one column; put the table or its alias before it',
  386: 'two values have types that do not match',
  403: 'the condition of the join cannot be used',
  456: 'a parameter has no value',
  457: 'the value of a parameter is not of its type',
  503: 'this type of value cannot be used here',
  574: 'two columns of the result have the same name',
};

/** `undefined` when the failure has another reason than the statement. */
export function readObjection(code: number | undefined, said: string, sql: string): EngineObjection | undefined {
  const sentence = sentences[code ?? 0];
  if (sentence === undefined) return undefined;
  const name = nameIn(said, sql);
  return name === undefined ? { message: sentence } : { message: `${sentence}: ${name}`, name };
}

/** Where the engine's parser gave up, when it was given the statement alone. */
export function readSyntaxError(said: string, sql: string): EngineObjection {
  const expected = expectedIn(said);
  const message = `this is not valid SQL${expected === '' ? '' : `; expected here: ${expected}`}`;
  const found = /failed at position (\d+) \((end of query)?/.exec(said);
  if (!found) return { message };
  if (found[2]) return { message, at: sql.length };
  // The engine counts bytes, from 1.
  return {
    message,
    at: Buffer.from(sql)
      .subarray(0, Number(found[1]) - 1)
      .toString().length,
  };
}

/** The words of SQL that would be right there; nothing else that the engine adds. */
function expectedIn(said: string): string {
  const list = /Expected(?: one of)?:? ([^.(:]*)/.exec(said)?.[1] ?? '';
  const words = list.split(', ').map((word) => (word === 'Comma' ? 'a comma' : word.trim()));
  return words
    .filter((word) => /^[A-Z]{2,}( [A-Z]+)*$|^a comma$/.test(word))
    .slice(0, 6)
    .join(', ');
}

/** The first name that the engine quotes, if it is a word of the statement: the engine also names what others have. */
function nameIn(said: string, sql: string): string | undefined {
  const own = new Set(sql.match(/\w+/g));
  const quoted = said.match(/[`'][\w.]{1,120}[`']|\b(?:function|table|column|alias|identifier) [\w.]{1,120}/gi) ?? [];
  const names = quoted.map((part) => part.replaceAll(/[`']/g, '').split(' ').at(-1) ?? '');
  const all = names.flatMap((name) => [name, name.split('.').at(-1) ?? '']);
  return all.find((name) => name !== '' && name.split('.').every((part) => own.has(part)));
}
