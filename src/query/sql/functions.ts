import { type AllowedFunction, family } from './allowed-function.ts';
import { timeFunctions } from './time-functions.ts';

const text: readonly AllowedFunction[] = [
  ...family('lower upper lowerUTF8 upperUTF8 trim trimLeft trimRight reverse reverseUTF8', ['text'], 'text'),
  ...family('length lengthUTF8', ['sized'], 'number'),
  ...family('empty notEmpty', ['sized'], 'bool'),
  ...family('startsWith endsWith', ['text', 'text'], 'bool'),
  ...family('like ilike notLike notILike', ['text', 'text'], 'bool'),
  ...family('position positionCaseInsensitive positionUTF8 positionCaseInsensitiveUTF8', ['text', 'text'], 'number'),
  ...family('countSubstrings countSubstringsCaseInsensitive', ['text', 'text'], 'number'),
  ...family('substring substringUTF8', ['text', 'number', 'number'], 'text', { least: 2 }),
  ...family('left right leftUTF8 rightUTF8', ['text', 'number'], 'text'),
  ...family('replaceAll replaceOne', ['text', 'text', 'text'], 'text'),
  ...family('concat', ['text'], 'text', { least: 1, most: 10 }),
  ...family('hasToken hasTokenCaseInsensitive', ['text', 'token'], 'bool'),
  ...family('isIPv4String isIPv6String isValidUTF8', ['text'], 'bool'),
];

const regularExpressions: readonly AllowedFunction[] = [
  ...family('match', ['text', 'regex'], 'bool'),
  ...family('extract', ['text', 'regex'], 'text'),
  ...family('extractAll', ['text', 'regex'], 'textArray'),
  ...family('countMatches countMatchesCaseInsensitive', ['text', 'regex'], 'number'),
  ...family('replaceRegexpAll replaceRegexpOne', ['text', 'regex', 'text'], 'text'),
];

const splitting: readonly AllowedFunction[] = [
  ...family('splitByChar splitByString', ['text', 'text'], 'textArray'),
  ...family('splitByWhitespace splitByNonAlpha', ['text'], 'textArray'),
  ...family('arrayElement', ['array', 'index'], 'element'),
  ...family('arrayStringConcat', ['array', 'text'], 'text', { least: 1 }),
  ...family('has', ['array', 'text'], 'bool'),
  ...family('mapContains', ['map', 'text'], 'bool'),
  ...family('mapKeys mapValues', ['map'], 'textArray'),
];

const json: readonly AllowedFunction[] = [
  ...family('JSONExtractString JSONExtractRaw', ['text', 'any'], 'text', { least: 1, most: 10 }),
  ...family('JSONExtractInt JSONExtractUInt', ['text', 'any'], 'integer', { least: 1, most: 10 }),
  ...family('JSONExtractFloat', ['text', 'any'], 'number', { least: 1, most: 10 }),
  ...family('JSONExtractBool JSONHas', ['text', 'any'], 'bool', { least: 1, most: 10 }),
  ...family('JSONLength', ['text', 'any'], 'number', { least: 1, most: 10 }),
  ...family('JSONExtractKeys JSONExtractArrayRaw', ['text', 'any'], 'textArray', { least: 1, most: 10 }),
  ...family('isValidJSON', ['text'], 'bool'),
  ...family('simpleJSONExtractString simpleJSONExtractRaw', ['text', 'text'], 'text'),
  ...family('simpleJSONExtractInt simpleJSONExtractUInt', ['text', 'text'], 'integer'),
  ...family('simpleJSONExtractFloat', ['text', 'text'], 'number'),
  ...family('simpleJSONExtractBool simpleJSONHas', ['text', 'text'], 'bool'),
];

const urls: readonly AllowedFunction[] = [
  ...family('protocol domain domainWithoutWWW topLevelDomain path pathFull queryString fragment', ['text'], 'text'),
  ...family('cutQueryString cutFragment decodeURLComponent', ['text'], 'text'),
  ...family('extractURLParameter', ['text', 'text'], 'text'),
];

const choices: readonly AllowedFunction[] = [
  ...family('coalesce', ['any'], 'values', { least: 1, most: 10, nullable: true }),
  ...family('ifNull', ['any', 'any'], 'values', { nullable: true }),
  ...family('nullIf', ['any', 'any'], 'values', { nullable: true }),
  ...family('isNull isNotNull', ['any'], 'bool'),
  ...family('if', ['condition', 'any', 'any'], 'values', { nullable: true, values: (index) => index > 0 }),
  ...family('multiIf', ['condition', 'any'], 'values', {
    least: 3,
    most: 41,
    nullable: true,
    values: (index, count) => index % 2 === 1 || index === count - 1,
  }),
];

const conversions: readonly AllowedFunction[] = [
  ...family('toString', ['any'], 'text'),
  ...family('toFloat64OrNull toFloat32OrNull', ['text'], 'number', { nullable: true }),
  ...family('toInt64OrNull toInt32OrNull toInt16OrNull toInt8OrNull', ['text'], 'number', { nullable: true }),
  ...family('toUInt64OrNull toUInt32OrNull toUInt16OrNull toUInt8OrNull', ['text'], 'number', { nullable: true }),
  ...family('toFloat64OrZero toFloat32OrZero', ['text'], 'number'),
  ...family('toInt64OrZero toInt32OrZero toInt16OrZero toInt8OrZero', ['text'], 'integer'),
  ...family('toUInt64OrZero toUInt32OrZero toUInt16OrZero toUInt8OrZero', ['text'], 'integer'),
  // Text that is not a number must not fail the whole chart.
  ...['toFloat64', 'toFloat32', 'toInt64', 'toInt32', 'toUInt64', 'toUInt32'].flatMap((name) =>
    family(name, ['text'], 'number', { printed: `${name}OrNull`, nullable: true }),
  ),
];

const numbers: readonly AllowedFunction[] = [
  ...family('abs floor ceil sqrt cbrt exp log log2 log10 sign', ['number'], 'number'),
  ...family('round', ['number', 'number'], 'number', { least: 1 }),
  ...family('pow', ['number', 'number'], 'number'),
  ...family('least greatest', ['number'], 'values', { least: 2, most: 10 }),
  ...family('intDivOrZero moduloOrZero', ['number', 'number'], 'number'),
  ...family('intDiv', ['number', 'number'], 'number', { printed: 'intDivOrZero' }),
  ...family('modulo', ['number', 'number'], 'number', { printed: 'moduloOrZero' }),
  ...family('cityHash64 xxHash64 sipHash64', ['text'], 'integer', { least: 1, most: 10 }),
];

/**
 * The allow-list of decisions C10, by family; `docs/sql.md` has an example of each. A function that reads anything but
 * its arguments and the clock never belongs here, nor does one whose result is much longer than its arguments.
 */
const allowed: readonly AllowedFunction[] = [
  ...text,
  ...regularExpressions,
  ...splitting,
  ...json,
  ...urls,
  ...choices,
  ...conversions,
  ...numbers,
  ...timeFunctions,
];

const byName = new Map(allowed.map((one) => [one.name.toLowerCase(), one]));

/** The allowed function of this name, in any case; `undefined` for every other. */
export function findFunction(name: string): AllowedFunction | undefined {
  return byName.get(name.toLowerCase());
}

export const allowedFunctionNames: readonly string[] = allowed.map(({ name }) => name);
export const printedFunctionNames: readonly string[] = allowed.map(({ printed }) => printed);
export const volatileFunctionNames: ReadonlySet<string> = new Set(
  allowed.filter((one) => one.volatile).map(({ printed }) => printed),
);
