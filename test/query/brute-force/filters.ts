import { type Fact, type Field, numberOf } from './facts.ts';
import type { Random } from './random.ts';

/** One condition in both languages and as a plain predicate. */
export interface Filter {
  lucene: string;
  sql: string;
  holds(fact: Fact): boolean;
}

/** What conditions may look at. */
export interface FilterFields {
  texts: readonly { field: Field; values: readonly string[] }[];
  numbers: readonly Field[];
  /** Searched by words without a field, where there is one. */
  words?: { field: Field; values: readonly string[] };
}

const textOf = (field: Field, fact: Fact): string => String(field.read(fact)).toLowerCase();

function textFilter(random: Random, { texts }: FilterFields): Filter {
  const { field, values } = random.pick(texts);
  const value = random.pick(values);
  const other = random.pick(values);
  const part = value.slice(0, random.int(1, value.length));
  const name = field.text;
  return random.pick<Filter>([
    { lucene: `${name}:"${value}"`, sql: `${name} = '${value}'`, holds: (fact) => field.read(fact) === value },
    {
      lucene: `(${name}:"${value}" OR ${name}:"${other}")`,
      sql: `${name} IN ('${value}', '${other}')`,
      holds: (fact) => field.read(fact) === value || field.read(fact) === other,
    },
    {
      lucene: `${name}:${part}`,
      sql: `${name} ILIKE '%${part}%'`,
      holds: (fact) => textOf(field, fact).includes(part.toLowerCase()),
    },
    {
      lucene: `${name}:(${part}*)`,
      sql: `startsWith(lower(${name}), '${part.toLowerCase()}')`,
      holds: (fact) => textOf(field, fact).startsWith(part.toLowerCase()),
    },
    { lucene: `${name}:*`, sql: `${name} != ''`, holds: (fact) => field.read(fact) !== '' },
  ]);
}

function numberFilter(random: Random, { numbers }: FilterFields): Filter {
  const field = random.pick(numbers);
  const [low, high] = [random.int(-20, 20), random.int(0, 60)];
  const name = field.text;
  const meets = (test: (value: number) => boolean) => (fact: Fact) => {
    const value = numberOf(field.read(fact));
    return value !== undefined && test(value);
  };
  return random.pick<Filter>([
    { lucene: `${name}:>${low}`, sql: `${name} > ${low}`, holds: meets((value) => value > low) },
    { lucene: `${name}:<=${high}`, sql: `${name} <= ${high}`, holds: meets((value) => value <= high) },
    {
      lucene: `${name}:[${low} TO ${high}]`,
      sql: `${name} BETWEEN ${low} AND ${high}`,
      holds: meets((value) => value >= low && value <= high),
    },
    {
      lucene: `${name}:{${low} TO ${high}}`,
      sql: `${name} > ${low} AND ${name} < ${high}`,
      holds: meets((value) => value > low && value < high),
    },
  ]);
}

function wordFilter(random: Random, { words }: FilterFields): Filter {
  if (!words) throw new Error('no words to search');
  const word = random.pick(words.values);
  const name = words.field.text;
  return random.pick<Filter>([
    {
      lucene: word.toUpperCase(),
      sql: `positionCaseInsensitive(${name}, '${word}') > 0`,
      holds: (fact) => textOf(words.field, fact).split(' ').includes(word),
    },
    {
      lucene: `${word}*`,
      sql: `lower(${name}) LIKE '${word}%'`,
      holds: (fact) => textOf(words.field, fact).startsWith(word),
    },
  ]);
}

/** A condition of up to four parts. */
export function randomFilter(random: Random, fields: FilterFields, depth = 0): Filter {
  if (depth < 2 && random.chance(0.45)) return compound(random, fields, depth);
  const kinds = [
    textFilter,
    ...(fields.numbers.length > 0 ? [numberFilter] : []),
    ...(fields.words ? [wordFilter] : []),
  ];
  return random.pick(kinds)(random, fields);
}

function compound(random: Random, fields: FilterFields, depth: number): Filter {
  const one = randomFilter(random, fields, depth + 1);
  const two = randomFilter(random, fields, depth + 1);
  return random.pick<Filter>([
    { lucene: `-(${one.lucene})`, sql: `NOT (${one.sql})`, holds: (fact) => !one.holds(fact) },
    {
      lucene: `(${one.lucene}) ${two.lucene}`,
      sql: `(${one.sql}) AND (${two.sql})`,
      holds: (fact) => one.holds(fact) && two.holds(fact),
    },
    {
      lucene: `(${one.lucene} OR ${two.lucene})`,
      sql: `(${one.sql}) OR (${two.sql})`,
      holds: (fact) => one.holds(fact) || two.holds(fact),
    },
  ]);
}
