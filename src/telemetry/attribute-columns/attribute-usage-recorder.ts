import type { CompiledQuery } from '../../query/compiled-query.ts';
import type { QueryResult, QueryRunner, RunOptions } from '../ports.ts';
import type { HotAttributes } from './hot-attributes.ts';

/** Records which attributes the queries it runs read from their maps. */
export class AttributeUsageRecorder implements QueryRunner {
  readonly #runner: QueryRunner;
  readonly #attributes: HotAttributes;

  constructor(runner: QueryRunner, attributes: HotAttributes) {
    this.#runner = runner;
    this.#attributes = attributes;
  }

  async run(query: CompiledQuery, options: RunOptions): Promise<QueryResult> {
    const result = await this.#runner.run(query, options);
    if (query.attributeReads) this.#attributes.record(query.attributeReads, result.rowsRead);
    return result;
  }
}
