import type { ValueType } from '../plan/sql-expr.ts';

/** Collects values and hands out numbered placeholders; the same value gets the same number. */
export class Parameters {
  private readonly numbers = new Map<string, number>();
  private readonly values: Record<string, string> = {};

  /** `{p1:String}` */
  placeholder(type: ValueType, text: string): string {
    const id = `${type}:${text}`;
    let number = this.numbers.get(id);
    if (number === undefined) {
      number = this.numbers.size + 1;
      this.numbers.set(id, number);
      this.values[`p${number}`] = text;
    }
    return `{p${number}:${type}}`;
  }

  all(): Readonly<Record<string, string>> {
    return this.values;
  }
}
