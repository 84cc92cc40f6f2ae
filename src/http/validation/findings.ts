import type { Problem } from '../../contract/problem.ts';

/** A problem, and how many steps below the whole value the thing lies that is wrong. */
export interface Finding extends Problem {
  depth: number;
}

/** One more than an answer lists, so that it can say that there are more. */
const findingsMax = 21;

/**
 * What was found to be wrong on a walk through a value, and where the walk is. Nothing is looked for once there is
 * enough: a few kilobytes can hold a hundred thousand mistakes.
 */
export class Findings {
  readonly list: Finding[] = [];
  readonly #path: (string | number)[];

  constructor(path: (string | number)[] = []) {
    this.#path = path;
  }

  get isFull(): boolean {
    return this.list.length >= findingsMax;
  }

  get depth(): number {
    return this.#path.length;
  }

  enter(step: string | number): void {
    this.#path.push(step);
  }

  leave(): void {
    this.#path.pop();
  }

  /** Something is wrong here, or with the field `key` of what is here. */
  add(message: string, key?: string): void {
    const path = key === undefined ? this.#path : [...this.#path, key];
    this.list.push({ path: path.join('.'), message, depth: this.depth });
  }

  /** Adds the findings of a separate walk from here. */
  take(findings: readonly Finding[]): void {
    this.list.push(...findings);
  }

  /** For a walk from here whose findings may not count. */
  aside(): Findings {
    return new Findings(this.#path);
  }
}

/** Adds what is wrong with a value. */
export type Validator = (value: unknown, findings: Findings) => void;

/** Makes the validator of a part of a schema. */
export type ValidatorOf = (schema: object) => Validator;
