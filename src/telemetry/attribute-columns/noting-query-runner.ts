import type { CompiledQuery } from '../../query/compiled-query.ts';
import type { QueryResult, QueryRunner, RunOptions } from '../ports.ts';
import type { HotAttributes } from './hot-attributes.ts';

/** Tells which attributes the queries that it runs take out of their maps. */
export class NotingQueryRunner implements QueryRunner {
  readonly #runner: QueryRunner;
  readonly #attributes: HotAttributes;

  constructor(runner: QueryRunner, attributes: HotAttributes) {
    this.#runner = runner;
    this.#attributes = attributes;
  }

  async run(query: CompiledQuery, options: RunOptions): Promise<QueryResult> {
    const result = await this.#runner.run(query, options);
    if (query.attributeReads) this.#attributes.note(query.attributeReads, result.rowsRead);
    return result;
  }
}
