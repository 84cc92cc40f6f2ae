import { type CompiledQuery, needsCareColumn } from '../../../query/compiled-query.ts';
import type { QueryResult } from '../../../telemetry/ports.ts';
import { withCostOf } from './cost-of-both.ts';

type Run = (compiled: CompiledQuery) => Promise<QueryResult>;

const rememberedMax = 1_000;

/**
 * Runs statements over metrics. Most are answered right by the cheap statement, whose answer tells where it is not:
 * where senders restarted, or series begin or have gaps. Then the careful one follows, and comes first until its answer
 * tells that it is needed no more.
 */
export class CarefulRuns {
  readonly #needed = new Set<string>();

  /** `key` tells questions apart, whatever the time they are asked about. */
  async run(key: string, compiled: CompiledQuery, run: Run): Promise<QueryResult> {
    const { careful } = compiled;
    if (!careful) return run(compiled);
    const first = this.#needed.has(key) ? undefined : await run(compiled);
    if (first && sumOf(first, needsCareColumn) === 0) return first;
    const second = await run(careful());
    if (sumOf(second, needsCareColumn) === 0) this.#needed.delete(key);
    else this.#remember(key);
    return first ? withCostOf(first, second) : second;
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
