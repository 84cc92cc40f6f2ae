/** What a function takes or gives. `number` also accepts text that is a number, `text` accepts anything. */
export type ArgumentType = 'text' | 'number' | 'time' | 'map' | 'array' | 'any' | 'condition';
export type ResultType = 'text' | 'number' | 'bool' | 'time' | 'textArray' | 'first' | 'second';

export interface AllowedFunction {
  /** The engine's spelling; the only one that is ever printed. */
  readonly name: string;
  readonly args: readonly ArgumentType[];
  /** How many of `args` must be given; the last one may repeat up to `most`. */
  readonly least: number;
  readonly most: number;
  readonly result: ResultType;
  /** The result can be NULL even if no argument is. */
  readonly nullable: boolean;
}

const table: AllowedFunction[] = [];

function allow(
  names: string,
  args: readonly ArgumentType[],
  result: ResultType,
  rest: Partial<AllowedFunction> = {},
): void {
  for (const name of names.split(' ')) {
    table.push({ name, args, least: args.length, most: args.length, result, nullable: false, ...rest });
  }
}

// The allow-list of decisions C10. A function that reads anything but its arguments never belongs here.
allow('lower upper lowerUTF8 upperUTF8 trim', ['text'], 'text');
allow('length lengthUTF8', ['text'], 'number');
allow('toString', ['any'], 'text');
allow('toFloat64OrNull toInt64OrNull toUInt64OrNull', ['text'], 'number', { nullable: true });
allow('startsWith endsWith', ['text', 'text'], 'bool');
allow('position positionCaseInsensitive positionUTF8 positionCaseInsensitiveUTF8', ['text', 'text'], 'number');
allow('substring', ['text', 'number', 'number'], 'text', { least: 2 });
allow('concat', ['text'], 'text', { least: 1, most: 10 });
allow('empty notEmpty', ['text'], 'bool');
allow('mapContains', ['map', 'text'], 'bool');
allow('mapKeys mapValues', ['map'], 'textArray');
allow('has', ['array', 'text'], 'bool');
allow('coalesce', ['any'], 'first', { least: 1, most: 10 });
allow('ifNull nullIf', ['any', 'any'], 'first');
allow('if', ['condition', 'any', 'any'], 'second');
allow('abs floor ceil sqrt log2 log10', ['number'], 'number');
allow('round', ['number', 'number'], 'number', { least: 1 });
allow('least greatest', ['number'], 'number', { least: 2, most: 10 });
allow('intDivOrZero moduloOrZero', ['number', 'number'], 'number');
allow(
  'toStartOfMinute toStartOfFiveMinutes toStartOfTenMinutes toStartOfFifteenMinutes toStartOfHour',
  ['time'],
  'time',
);
allow('toStartOfDay toStartOfWeek toStartOfMonth toStartOfQuarter toStartOfYear', ['time'], 'time');
allow('toHour toMinute toDayOfWeek toDayOfMonth toMonth toYear toUnixTimestamp', ['time'], 'number');

const byName = new Map(table.map((allowed) => [allowed.name.toLowerCase(), allowed]));

/** The allowed function of this name, in any case; `undefined` for every other. */
export function findFunction(name: string): AllowedFunction | undefined {
  return byName.get(name.toLowerCase());
}

export const allowedFunctionNames: readonly string[] = table.map((allowed) => allowed.name);
