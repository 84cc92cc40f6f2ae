import type { ValueType } from '../plan/sql-expr.ts';

/** Collects values and hands out numbered placeholders; the same value gets the same number. */
export class Parameters {
  private readonly numbers = new Map<string, number>();
  private readonly values: Record<string, string> = {};
  private readonly prefix: string;

  /** Names begin with the prefix. */
  constructor(prefix = 'p') {
    this.prefix = prefix;
  }

  /** `{p1:String}` */
  placeholder(type: ValueType, text: string): string {
    const id = `${type}:${text}`;
    let number = this.numbers.get(id);
    if (number === undefined) {
      number = this.numbers.size + 1;
      this.numbers.set(id, number);
      this.values[`${this.prefix}${number}`] = text;
    }
    return `{${this.prefix}${number}:${type}}`;
  }

  all(): Readonly<Record<string, string>> {
    return this.values;
  }
}
