/**
 * What a function takes. `number` also accepts text that is a number, `text` accepts any scalar, `sized` whatever has a
 * length. The rest are literals that are checked when the text is read: `regex` (RE2), `token` (one token of a text
 * index), `unit` of time, `zone`, `format` of a time, `index` of an array (from 1, or from the end with -1).
 */
export type ArgumentType =
  | 'text'
  | 'number'
  | 'time'
  | 'map'
  | 'array'
  | 'sized'
  | 'any'
  | 'condition'
  | 'interval'
  | LiteralType;
export type LiteralType = 'regex' | 'token' | 'unit' | 'zone' | 'format' | 'index';

/** `values`: the one type that the function's values share, see `AllowedFunction.values`. */
export type ResultType =
  | 'text'
  | 'number'
  | 'integer'
  | 'bool'
  | 'time'
  | 'interval'
  | 'textArray'
  | 'element'
  | 'values';

export interface AllowedFunction {
  /** What a person types, in any case. */
  readonly name: string;
  /** The engine's spelling; the only one that is ever printed. */
  readonly printed: string;
  readonly args: readonly ArgumentType[];
  /** How many of `args` must be given; the last one may repeat up to `most`. */
  readonly least: number;
  readonly most: number;
  readonly result: ResultType;
  /** The result can be NULL even if no argument is. */
  readonly nullable: boolean;
  /** The result differs from one moment to the next. */
  readonly volatile: boolean;
  /** Which arguments are alternatives of one value. */
  readonly values: (index: number, count: number) => boolean;
}

export type FunctionOptions = Partial<Omit<AllowedFunction, 'name' | 'args' | 'result'>>;

/** Functions that take and give the same, by name. */
export function family(
  names: string,
  args: readonly ArgumentType[],
  result: ResultType,
  options: FunctionOptions = {},
): AllowedFunction[] {
  return names.split(' ').map((name) => ({
    name,
    printed: name,
    args,
    least: args.length,
    most: args.length,
    result,
    nullable: false,
    volatile: false,
    values: () => true,
    ...options,
  }));
}
