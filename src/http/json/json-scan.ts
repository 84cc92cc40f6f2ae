/** What a JSON text may hold, beyond being JSON. */
export interface JsonLimits {
  /** Arrays and objects within each other. */
  depthMax: number;
  /** Numbers, texts, objects and so on, all together. */
  valuesMax: number;
}

export interface JsonProblem {
  /** Dotted; empty for the whole text. */
  path: string;
  message: string;
  /** Character at which the problem begins. */
  position: number;
}

/** One open array or object, and the position of the scan in it. */
interface Frame {
  isArray: boolean;
  index: number;
  keyStart: number;
  keyEnd: number;
}

const quote = 0x22;
const backslash = 0x5c;
const shownKeyLength = 64;

/**
 * The first place where a JSON text has something that could not be stored faithfully: a number that a double can't
 * hold, a lone surrogate, nesting or a count beyond the limits. One pass, nothing is built, so that
 * it is safe before `JSON.parse`, which checks the syntax: text that is not JSON may pass here.
 */
export function scanJson(text: string, limits: JsonLimits): JsonProblem | undefined {
  return new JsonScan(text, limits).run();
}

class JsonScan {
  readonly #text: string;
  readonly #limits: JsonLimits;
  readonly #open: Frame[] = [];
  #values = 0;
  #at = 0;

  constructor(text: string, limits: JsonLimits) {
    this.#text = text;
    this.#limits = limits;
  }

  run(): JsonProblem | undefined {
    const text = this.#text;
    for (; this.#at < text.length; this.#at++) {
      const problem = this.#step(text.charCodeAt(this.#at));
      if (problem) return problem;
    }
    return undefined;
  }

  #step(code: number): JsonProblem | undefined {
    switch (code) {
      case 0x5b: // [
      case 0x7b: // {
        return this.#enter(code === 0x5b);
      case 0x5d: // ]
      case 0x7d: // }
        this.#open.pop();
        return undefined;
      case 0x2c: // ,
        this.#next();
        return undefined;
      case quote:
        return this.#string();
      default:
        return code === 0x2d || (code >= 0x30 && code <= 0x39) ? this.#number() : undefined;
    }
  }

  #enter(isArray: boolean): JsonProblem | undefined {
    const { depthMax } = this.#limits;
    if (this.#open.length >= depthMax) return this.#problem(`has more than ${depthMax} levels`, this.#at);
    this.#open.push({ isArray, index: 0, keyStart: 0, keyEnd: 0 });
    return this.#count();
  }

  #next(): void {
    const frame = this.#open.at(-1);
    if (!frame) return;
    frame.index += 1;
    frame.keyEnd = 0;
  }

  #count(): JsonProblem | undefined {
    const { valuesMax } = this.#limits;
    if (++this.#values <= valuesMax) return undefined;
    return { path: '', message: `has more than ${valuesMax} values`, position: this.#at };
  }

  /** Leaves the scan at the closing quote. */
  #string(): JsonProblem | undefined {
    const start = this.#at;
    const end = closingQuote(this.#text, start + 1);
    const frame = this.#open.at(-1);
    if (frame && !frame.isArray && frame.keyEnd === 0) {
      frame.keyStart = start;
      frame.keyEnd = end + 1;
    }
    const message = textProblem(this.#text.slice(start + 1, end));
    if (message !== undefined) return this.#problem(message, start);
    this.#at = end;
    return this.#count();
  }

  /** Leaves the scan at the last character of the number. */
  #number(): JsonProblem | undefined {
    const start = this.#at;
    let end = start + 1;
    while (isNumberPart(this.#text.charCodeAt(end))) end++;
    // No number of so few characters is out of range.
    if (end - start >= shortestSuspect) {
      const message = numberProblem(this.#text.slice(start, end));
      if (message !== undefined) return this.#problem(message, start);
    }
    this.#at = end - 1;
    return this.#count();
  }

  #problem(message: string, position: number): JsonProblem {
    const path = this.#open.map((frame) => (frame.isArray ? String(frame.index) : this.#keyOf(frame))).join('.');
    return { path, message, position };
  }

  #keyOf({ keyStart, keyEnd }: Frame): string {
    const raw = this.#text.slice(keyStart + 1, keyEnd - 1);
    return raw.length > shownKeyLength ? `${raw.slice(0, shownKeyLength)}…` : raw;
  }
}

/** `1e309` overflows. */
const shortestSuspect = 5;

function closingQuote(text: string, from: number): number {
  for (let end = text.indexOf('"', from); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (end - 1 - slashes >= from && text.charCodeAt(end - 1 - slashes) === backslash) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}

/** Digits, signs, point and exponent. */
function isNumberPart(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || code === 0x2e || code === 0x2b || code === 0x2d || (code | 0x20) === 0x65;
}

function numberProblem(token: string): string | undefined {
  const value = Number(token);
  if (Number.isNaN(value)) return undefined;
  if (!Number.isFinite(value)) return 'is too large for a number';
  if (Number.isSafeInteger(value) || !/^-?\d{1,400}$/.test(token)) return undefined;
  // A double has 53 bits. What is written again with the same digits was kept, and so was what is exactly that double.
  return String(value) === token || BigInt(token) === BigInt(value)
    ? undefined
    : 'is an integer that cannot be represented exactly; send it as text';
}

/** `raw`: between the quotes, with its escapes. */
function textProblem(raw: string): string | undefined {
  const text = raw.includes('\\u') ? unescaped(raw) : raw;
  return text.isWellFormed() ? undefined : 'contains half of a surrogate pair, which is not valid text';
}

function unescaped(raw: string): string {
  try {
    return String(JSON.parse(`"${raw}"`));
  } catch {
    // Not JSON, which `JSON.parse` will say of the whole.
    return '';
  }
}
