import type { Attribute } from '../schema/attribute-columns.ts';
import { printedFunctionNames } from '../sql/functions.ts';

/**
 * The tree of what is sent to the engine. Names are columns of the schema or aliases of ours, values are parameters,
 * functions come from one list: there is no node that holds raw SQL text.
 */
export type SqlExpr =
  | { readonly kind: 'column'; readonly name: string }
  | { readonly kind: 'alias'; readonly name: string }
  | { readonly kind: 'value'; readonly type: ValueType; readonly text: string }
  /** An attribute of the row, and where it is taken from. */
  | { readonly kind: 'attribute'; readonly attribute: Attribute; readonly from: SqlExpr }
  /** Constants of ours, never of the user. */
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'word'; readonly word: OwnWord }
  | { readonly kind: 'null' }
  | {
      readonly kind: 'call';
      readonly name: string;
      /** Of quantiles, each from 0 to 1. */
      readonly levels?: readonly number[];
      /** An array of the aggregate by bucket, whose number is the last argument: from `first` up to `end`. */
      readonly buckets?: { readonly first: number; readonly end: number };
      readonly args: readonly SqlExpr[];
    }
  | { readonly kind: 'binary'; readonly operator: BinaryOperator; readonly left: SqlExpr; readonly right: SqlExpr }
  | { readonly kind: 'and'; readonly items: readonly SqlExpr[] }
  | { readonly kind: 'or'; readonly items: readonly SqlExpr[] }
  | { readonly kind: 'not'; readonly item: SqlExpr }
  /** Whether `item` is one of the elements of `array`, which is worked out once, before any row is read. */
  | { readonly kind: 'memberOf'; readonly item: SqlExpr; readonly array: SqlExpr }
  | { readonly kind: 'lambda'; readonly names: readonly string[]; readonly body: SqlExpr }
  /** Over the point itself and the two before it. */
  | {
      readonly kind: 'window';
      readonly call: SqlExpr;
      readonly partitionBy: readonly SqlExpr[];
      readonly orderBy: readonly SqlExpr[];
    }
  /** Over all rows of the result, or all that are equal in `partitionBy`. */
  | { readonly kind: 'overAll'; readonly call: SqlExpr; readonly partitionBy?: readonly SqlExpr[] };

/** The only texts that are written into a statement. */
export type OwnWord = '' | ' ' | 'UTC' | 'String' | 'database' | 'messaging' | 'external';
export const ownWords: ReadonlySet<string> = new Set<OwnWord>([
  ...(['', ' ', 'UTC', 'String'] as const),
  ...(['database', 'messaging', 'external'] as const),
]);
/** Types of parameters. */
export type ValueType = 'String' | 'Float64' | 'Int64' | 'UInt64' | 'UInt32' | 'Bool' | 'Array(Int64)';
export type BinaryOperator = '=' | '!=' | '<' | '<=' | '>' | '>=' | '+' | '-' | '*' | '/' | '%' | 'LIKE' | 'ILIKE';

const ownFunctions = [
  'and',
  'abs',
  'argMax',
  'argMin',
  'array',
  'arrayElement',
  'arrayConcat',
  'arrayEnumerate',
  'arrayExists',
  'arrayPopFront',
  'arrayPushFront',
  'arrayResize',
  'arraySort',
  'groupUniqArrayArray',
  'arrayFilter',
  'arrayFirstIndex',
  'arrayMap',
  'arraySum',
  'assumeNotNull',
  'avg',
  'any',
  'avgIf',
  'argMaxIf',
  'bitAnd',
  'bitShiftLeft',
  'cityHash64',
  'count',
  'concat',
  'countIf',
  'domain',
  'exp2',
  'floor',
  'fromUnixTimestamp64Milli',
  'greatest',
  'groupArray',
  'groupArrayIf',
  'grouping',
  'has',
  'hasToken',
  'if',
  'ifNull',
  'indexOf',
  'ifNotFinite',
  'intDiv',
  'isFinite',
  'isNotNull',
  'isNull',
  'JSONExtract',
  'lagInFrame',
  'length',
  'least',
  'log10',
  'lower',
  'lowerUTF8',
  'mapAdd',
  'mapFromArrays',
  'mapSort',
  'max',
  'maxIf',
  'min',
  'minIf',
  'notEmpty',
  'nullIf',
  'positionCaseInsensitive',
  'positionCaseInsensitiveUTF8',
  'pow',
  'quantileExactInclusive',
  'quantileExactInclusiveIf',
  'quantileExactWeightedInterpolated',
  'quantileExactWeightedInterpolatedIf',
  'quantilesExactInclusive',
  'quantilesExactInclusiveIf',
  'quantilesExactWeightedInterpolated',
  'quantilesExactWeightedInterpolatedIf',
  'range',
  'reinterpretAsInt64',
  'roundDown',
  'row_number',
  'sign',
  'sum',
  'sumForEachIf',
  'sumIf',
  'sumMap',
  'toDateTime',
  'toDateTime64',
  'toFloat64',
  'toFloat64OrNull',
  'toInt128',
  'toInt64',
  'toJSONString',
  'toNullable',
  'toString',
  'toStartOfMinute',
  'toUInt64',
  'toUnixTimestamp',
  'toUnixTimestamp64Milli',
  'toUnixTimestamp64Nano',
  'transform',
  'tuple',
  'tupleElement',
  'uniqExact',
  'uniqExactIf',
  'IN',
];
/** Every function that a statement may hold: the user's allow-list and what the compiler itself writes. */
export const printableFunctions: ReadonlySet<string> = new Set([...ownFunctions, ...printedFunctionNames]);

export const sqlNull: SqlExpr = Object.freeze({ kind: 'null' });
export const emptyText: SqlExpr = Object.freeze({ kind: 'word', word: '' });
export const utc: SqlExpr = Object.freeze({ kind: 'word', word: 'UTC' });
export const stringType: SqlExpr = Object.freeze({ kind: 'word', word: 'String' });

export function word(own: OwnWord): SqlExpr {
  return { kind: 'word', word: own };
}

export function column(name: string): SqlExpr {
  return { kind: 'column', name };
}

export function alias(name: string): SqlExpr {
  return { kind: 'alias', name };
}

export function textValue(text: string): SqlExpr {
  return { kind: 'value', type: 'String', text };
}

export function constant(value: number): SqlExpr {
  return { kind: 'number', value };
}

/** A whole number as a parameter: time bounds, which differ from request to request. */
export function integerValue(value: number): SqlExpr {
  return { kind: 'value', type: 'Int64', text: String(value) };
}

export function integerValues(values: readonly number[]): SqlExpr {
  return { kind: 'value', type: 'Array(Int64)', text: `[${values.join(',')}]` };
}

export function call(name: string, ...args: readonly SqlExpr[]): SqlExpr {
  return { kind: 'call', name, args };
}

export function binary(left: SqlExpr, operator: BinaryOperator, right: SqlExpr): SqlExpr {
  return { kind: 'binary', operator, left, right };
}

export function not(item: SqlExpr): SqlExpr {
  return { kind: 'not', item };
}

export function and(items: readonly SqlExpr[]): SqlExpr {
  const [first, ...more] = items;
  if (first === undefined) return constant(1);
  return more.length === 0 ? first : { kind: 'and', items };
}

/** No alternative means no match: an empty list fails closed. */
export function or(items: readonly SqlExpr[]): SqlExpr {
  const [first, ...more] = items;
  if (first === undefined) return constant(0);
  return more.length === 0 ? first : { kind: 'or', items };
}
