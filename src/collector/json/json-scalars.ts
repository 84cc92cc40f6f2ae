/** Thrown inside the JSON reading; whoever knows the path makes a `MalformedPayloadError` of it. */
export class WrongJsonValue extends Error {}

/** Decimal text, or a JSON number that is whole. `bits` and `signed` give the range. */
export function toInteger(value: unknown, bits: 32 | 64, signed: boolean): bigint {
  const integer = parseInteger(value);
  const cut = signed ? BigInt.asIntN(bits, integer) : BigInt.asUintN(bits, integer);
  if (cut !== integer)
    throw new WrongJsonValue(`is not in the range of ${signed ? 'a signed' : 'an unsigned'} ${bits}-bit number`);
  return integer;
}

function parseInteger(value: unknown): bigint {
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value);
  if (typeof value === 'string' && /^-?[0-9]{1,20}$/.test(value)) return BigInt(value);
  if (typeof value === 'bigint') return value;
  throw new WrongJsonValue('has to be a whole number, or one as decimal text');
}

export function toDouble(value: unknown): number {
  if (typeof value === 'number') return value;
  if (value === 'NaN' || value === 'Infinity' || value === '-Infinity') return Number(value);
  if (typeof value === 'string' && /^-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?$/.test(value)) return Number(value);
  throw new WrongJsonValue('has to be a number');
}

export function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new WrongJsonValue('has to be text');
}

export function toBoolean(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  throw new WrongJsonValue('has to be true or false');
}

/** An enum's number, or its name in the specification. */
export function toEnum(value: unknown, names: Readonly<Record<string, number>>): bigint {
  if (typeof value === 'string' && Object.hasOwn(names, value)) return BigInt(names[value] ?? 0);
  if (typeof value === 'number' && Number.isInteger(value)) return toInteger(value, 32, true);
  throw new WrongJsonValue(`has to be a number or one of ${Object.keys(names).join(', ')}`);
}

export function hexToBytes(value: unknown): Buffer {
  const text = toText(value);
  if (text.length % 2 !== 0 || !/^[0-9a-fA-F]*$/.test(text)) throw new WrongJsonValue('has to be hex text');
  return Buffer.from(text, 'hex');
}

/** The standard or the URL-safe alphabet, with or without padding (proto3 JSON). */
export function base64ToBytes(value: unknown): Buffer {
  const text = toText(value);
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(text)) throw new WrongJsonValue('has to be base64 text');
  return Buffer.from(text, 'base64');
}
