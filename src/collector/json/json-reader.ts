import { MalformedPayloadError } from '../intake-errors.ts';

/** Arrays and objects inside each other, at most: nothing is allocated for them, and nothing calls itself. */
const depthMax = 1_000;

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

export type JsonKind = 'object' | 'array' | 'text' | 'number' | 'true' | 'false' | 'null';

/**
 * Reads JSON in place, value by value, without making objects of it: a body costs what its bytes cost, whatever they
 * say. Throws `MalformedPayloadError` where it is not JSON.
 */
export class JsonReader {
  readonly bytes: Buffer;
  position = 0;
  /** Start of the text or number that was read last; a text without its quotes. */
  start = 0;
  end = 0;
  /** The text that was read last has escapes, so its bytes are not its content. */
  isEscaped = false;
  /** Closing brackets that are owed, while a value is stepped over. */
  readonly #owed = new Uint8Array(depthMax);

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) this.position = 3;
  }

  /** The kind of the next value, which stays where it is. */
  peek(): JsonKind {
    const byte = this.#next();
    switch (byte) {
      case quote:
        return 'text';
      case openBrace:
        return 'object';
      case openBracket:
        return 'array';
      case 0x74:
        return 'true';
      case 0x66:
        return 'false';
      case 0x6e:
        return 'null';
      default:
        if (byte === 0x2d || (byte >= 0x30 && byte <= 0x39)) return 'number';
        throw this.malformed(byte === 0 ? 'it ends too early' : 'a value is expected');
    }
  }

  /** Enters the array or object that comes next; `false` when it is empty, and already left again. */
  enter(kind: 'array' | 'object'): boolean {
    this.position++;
    if (this.#next() !== (kind === 'array' ? closeBracket : closeBrace)) return true;
    this.position++;
    return false;
  }

  /** After a member: whether another follows; if not, the array or object is left. */
  hasMore(kind: 'array' | 'object'): boolean {
    const byte = this.#next();
    this.position++;
    if (byte === comma) return true;
    if (byte === (kind === 'array' ? closeBracket : closeBrace)) return false;
    this.position--;
    throw this.malformed(kind === 'array' ? '`,` or `]` is expected' : '`,` or `}` is expected');
  }

  /** The key of the next member, into `start` and `end`, up to its value. */
  readKey(): void {
    if (this.#next() !== quote) throw this.malformed('a key in quotes is expected');
    this.readText();
    if (this.#next() !== colon) throw this.malformed('`:` is expected');
    this.position++;
  }

  /** The text that comes next, into `start`, `end` and `isEscaped`. */
  readText(): void {
    const { bytes } = this;
    let at = this.position + 1;
    this.start = at;
    this.isEscaped = false;
    for (; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0;
      if (byte === quote) {
        this.end = at;
        this.position = at + 1;
        return;
      }
      if (byte === backslash) {
        this.isEscaped = true;
        at++;
      } else if (byte < 0x20) {
        this.position = at;
        throw this.malformed('a text has a control character, which needs an escape');
      }
    }
    this.position = bytes.length;
    throw this.malformed('a text has no end');
  }

  /** The content of the text that was read last. */
  text(): string {
    if (!this.isEscaped) return this.bytes.toString('utf8', this.start, this.end);
    try {
      return String(JSON.parse(this.bytes.toString('utf8', this.start - 1, this.end + 1)));
    } catch {
      throw this.malformed('a text has an escape that there is not');
    }
  }

  /** The number that comes next, into `start` and `end`. */
  readNumber(): void {
    this.start = this.position;
    if (this.#byte() === 0x2d) this.position++;
    if (this.#byte() === 0x30) this.position++;
    else this.#skipDigits();
    if (this.#byte() === 0x2e) {
      this.position++;
      this.#skipDigits();
    }
    if ((this.#byte() | 0x20) === 0x65) {
      this.position++;
      if (this.#byte() === 0x2b || this.#byte() === 0x2d) this.position++;
      this.#skipDigits();
    }
    this.end = this.position;
  }

  /** `true`, `false` or `null`, which `peek` has announced. */
  readWord(word: 'true' | 'false' | 'null'): void {
    for (let index = 0; index < word.length; index++) {
      if (this.bytes[this.position + index] !== word.charCodeAt(index)) throw this.malformed(`\`${word}\` is expected`);
    }
    this.position += word.length;
  }

  /** Steps over the next value, whatever it is. */
  skip(): void {
    let depth = 0;
    for (;;) {
      const kind = this.peek();
      if (kind === 'object' || kind === 'array') {
        if (depth === depthMax) throw this.malformed(`values are nested deeper than ${depthMax}`);
        this.#owed[depth++] = kind === 'array' ? closeBracket : closeBrace;
        if (this.enter(kind)) {
          if (kind === 'object') this.readKey();
          continue;
        }
        depth--;
      } else this.#skipScalar(kind);
      while (depth > 0) {
        const isArray = this.#owed[depth - 1] === closeBracket;
        if (this.hasMore(isArray ? 'array' : 'object')) {
          if (!isArray) this.readKey();
          break;
        }
        depth--;
      }
      if (depth === 0) return;
    }
  }

  /** Nothing but space may follow the one value of a body. */
  finish(): void {
    if (this.#next() !== 0 || this.position < this.bytes.length) throw this.malformed('something follows its end');
  }

  malformed(what: string): MalformedPayloadError {
    return new MalformedPayloadError(`the body is not valid JSON: ${what}`, ` (at byte ${this.position})`);
  }

  #skipScalar(kind: Exclude<JsonKind, 'object' | 'array'>): void {
    if (kind === 'text') this.readText();
    else if (kind === 'number') this.readNumber();
    else this.readWord(kind);
  }

  #skipDigits(): void {
    const first = this.position;
    while (this.#byte() >= 0x30 && this.#byte() <= 0x39) this.position++;
    if (this.position === first) throw this.malformed('a digit is expected');
  }

  #byte(): number {
    return this.bytes[this.position] ?? 0;
  }

  /** The next byte that is not a space, 0 at the end. */
  #next(): number {
    for (;;) {
      const byte = this.bytes[this.position] ?? 0;
      if (byte > 0x20 || (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09)) return byte;
      this.position++;
    }
  }
}
