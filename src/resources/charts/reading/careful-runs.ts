import { type CompiledQuery, needsCareColumn } from '../../../query/compiled-query.ts';
import type { QueryResult } from '../../../telemetry/ports.ts';

/** A statement that ran, and why the careful one did; absent of the quick one. */
export interface CarefulRun {
  statement: CompiledQuery;
  result: QueryResult;
  careReason?: string;
}

export interface CarefulAnswer {
  result: QueryResult;
  runs: readonly CarefulRun[];
}

type Run = (compiled: CompiledQuery) => Promise<QueryResult>;

const rememberedMax = 1_000;

/**
 * Runs statements over metrics. Most are answered right by the quick statement, whose answer shows where it is not:
 * where senders restarted, or series begin or have gaps. Then the careful one follows, and comes first until its answer
 * shows that it is no longer needed.
 */
export class CarefulRuns {
  readonly #needed = new Set<string>();

  /** The answer and all that ran for it, in order. `key` identifies a query regardless of its time range. */
  async run(key: string, quick: CompiledQuery, run: Run): Promise<CarefulAnswer> {
    const { careful } = quick;
    const wasNeeded = this.#needed.has(key);
    const first = careful && wasNeeded ? undefined : { statement: quick, result: await run(quick) };
    if (first && (!careful || sumOf(first.result, needsCareColumn) === 0))
      return { result: first.result, runs: [first] };
    const statement = careful?.() ?? quick;
    const result = await run(statement);
    if (sumOf(result, needsCareColumn) === 0) this.#needed.delete(key);
    else this.#remember(key);
    const careReason = wasNeeded
      ? 'the last query of this kind needed it'
      : 'senders restarted, or series began or had gaps, so the quick statement is not exact for all points';
    const last = { statement, result, careReason };
    return { result, runs: first ? [first, last] : [last] };
  }

  #remember(key: string): void {
    if (this.#needed.size >= rememberedMax) this.#needed.clear();
    this.#needed.add(key);
  }
}

/** The sum of a column by its name; 0 where the result has none. */
export function sumOf({ names, columns }: QueryResult, name: string): number {
  const values = columns[names.indexOf(name)] ?? [];
  return values.reduce((sum: number, value) => sum + Number(value), 0);
}
