/** Thrown while reading JSON; the caller that knows the path turns it into a reason. Not an `Error`: it needs no stack. */
export class WrongJsonValue {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

const two16 = 0x1_0000;
const two31 = 0x8000_0000;
const two32 = 0x1_0000_0000;
const billion = 1_000_000_000;
/** Digits of the largest 64-bit number. */
const digitsMax = 20;
/** Nothing writes longer numbers, so their zeros are not worth counting. */
const exponentMax = 40;

const wholeNumber = 'has to be a whole number, or one as decimal text';

/** A 64-bit integer as its two unsigned halves, exact, and without a BigInt for each. */
export class Integer64 {
  low = 0;
  high = 0;

  /** Takes decimal digits, or a number with fraction or exponent that is whole. Throws `WrongJsonValue`. */
  take(bytes: Buffer, start: number, end: number, signed: boolean): void {
    const negative = bytes[start] === 0x2d;
    const first = negative ? start + 1 : start;
    if (!this.#takeDigits(bytes, first, end)) {
      this.#takeDecimal(bytes.toString('latin1', first, end));
    }
    if (negative) this.#negate();
    if (!this.#fits(negative, signed)) {
      throw new WrongJsonValue(`is not in the range of ${signed ? 'a signed' : 'an unsigned'} 64-bit number`);
    }
  }

  /** The value as a double; exact for 32-bit fields. */
  toNumber(signed: boolean): number {
    return (signed ? this.high | 0 : this.high) * two32 + this.low;
  }

  #takeDigits(bytes: Buffer, start: number, end: number): boolean {
    if (end === start || end - start > digitsMax) return false;
    const cut = Math.max(start, end - 9);
    const head = digitsOf(bytes, start, cut);
    const tail = digitsOf(bytes, cut, end);
    if (head < 0 || tail < 0) return false;
    this.#set(head, tail);
    return true;
  }

  /** head × 10^9 + tail, in halves of which no product leaves the doubles' exact range. */
  #set(head: number, tail: number): void {
    const small = (head % two16) * billion + tail;
    const large = Math.floor(head / two16) * billion;
    const low = (large % two16) * two16 + (small % two32);
    this.low = low % two32;
    this.high = Math.floor(large / two16) + Math.floor(small / two32) + Math.floor(low / two32);
  }

  #takeDecimal(text: string): void {
    const parts = /^([0-9]{1,40})(?:\.([0-9]{1,40}))?(?:[eE]([+-]?[0-9]{1,3}))?$/.exec(text);
    if (!parts) throw new WrongJsonValue(wholeNumber);
    const [, whole = '', fraction = '', exponent = '0'] = parts;
    const shift = Number(exponent) - fraction.length;
    if (Math.abs(shift) > exponentMax) throw new WrongJsonValue(wholeNumber);
    const digits = BigInt(whole + fraction);
    const scale = 10n ** BigInt(Math.abs(shift));
    if (shift < 0 && digits % scale !== 0n) throw new WrongJsonValue(wholeNumber);
    const value = shift < 0 ? digits / scale : digits * scale;
    this.low = Number(value & 0xffff_ffffn);
    this.high = Number(value >> 32n);
  }

  #negate(): void {
    if (this.high >= two32) return;
    const low = this.low === 0 ? 0 : two32 - this.low;
    this.high = two32 - this.high - (this.low === 0 ? 0 : 1);
    this.low = low;
    if (this.high === two32) this.high = 0;
  }

  #fits(negative: boolean, signed: boolean): boolean {
    if (this.high >= two32) return false;
    if (this.low === 0 && this.high === 0) return true;
    if (negative) return signed && this.high >= two31;
    return !signed || this.high < two31;
  }
}

/** The number that decimal digits make; −1 when there is another character. */
function digitsOf(bytes: Buffer, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at++) {
    const digit = (bytes[at] ?? 0) - 0x30;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}

const longestDouble = 400;

/** A finite number; as text also `NaN`, `Infinity` and `-Infinity` (proto3 JSON). */
export function toDouble(bytes: Buffer, start: number, end: number): number {
  if (end - start > longestDouble)
    throw new WrongJsonValue(`has to be a number of at most ${longestDouble} characters`);
  const text = bytes.toString('latin1', start, end);
  if (text === 'NaN' || text === 'Infinity' || text === '-Infinity') return Number(text);
  if (!/^-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?$/.test(text)) throw new WrongJsonValue('has to be a number');
  const value = Number(text);
  if (!Number.isFinite(value)) throw new WrongJsonValue('is beyond the range of a 64-bit float');
  return value;
}

/** An enum's number by its name in the specification. */
export function enumNumber(name: string, names: Readonly<Record<string, number>>): number {
  if (Object.hasOwn(names, name)) return names[name] ?? 0;
  throw new WrongJsonValue(`has to be a number or one of ${Object.keys(names).join(', ')}`);
}

export function hexToBytes(text: string): Buffer {
  if (text.length % 2 !== 0 || !/^[0-9a-fA-F]*$/.test(text)) throw new WrongJsonValue('has to be hex text');
  return Buffer.from(text, 'hex');
}

/** The standard or the URL-safe alphabet, with or without padding (proto3 JSON). */
export function base64ToBytes(text: string): Buffer {
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(text)) throw new WrongJsonValue('has to be base64 text');
  return Buffer.from(text, 'base64');
}
