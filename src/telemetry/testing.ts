import type { CompiledQuery } from '../query/compiled-query.ts';
import type { BlockInserter, BlockSink, EncodedBlock, QueryResult, QueryRunner, RunOptions } from './ports.ts';

/** Remembers its blocks; fails on demand. */
export class RecordingSink implements BlockSink {
  readonly added: { database: string; block: EncodedBlock }[] = [];
  /** Thrown by each `add` while set. */
  failWith: Error | undefined;

  async add(database: string, blocks: readonly EncodedBlock[]): Promise<void> {
    if (this.failWith) throw this.failWith;
    for (const block of blocks) this.added.push({ database, block });
  }

  /** Rows per table, in the order in which the tables came first. */
  rows(): Record<string, number> {
    const rows: Record<string, number> = {};
    for (const { block } of this.added) rows[block.table] = (rows[block.table] ?? 0) + block.rows;
    return rows;
  }
}

type Batch = Parameters<BlockInserter['insert']>[0];

/** A store whose inserts end when and how a test says. */
export class RecordingInserter implements BlockInserter {
  readonly attempts: Batch[] = [];
  /** Called for each attempt, counted from 0; what it throws or rejects with is the store's answer. */
  answer: (batch: Batch, attempt: number) => Promise<void> | void = () => {};

  async insert(batch: Batch): Promise<void> {
    this.attempts.push(batch);
    await this.answer(batch, this.attempts.length - 1);
  }
}

/** Answers queries from a function and remembers them. */
export class FakeQueryRunner implements QueryRunner {
  readonly runs: { query: CompiledQuery; options: RunOptions }[] = [];
  answer: (query: CompiledQuery, options: RunOptions) => QueryResult | Promise<QueryResult>;

  constructor(answer: FakeQueryRunner['answer'] = () => queryResult({})) {
    this.answer = answer;
  }

  async run(query: CompiledQuery, options: RunOptions): Promise<QueryResult> {
    this.runs.push({ query, options });
    return this.answer(query, options);
  }
}

/** An answer from its columns: `queryResult({ ts: [0, 60_000], v0: [1, null] })`. */
export function queryResult(columns: Readonly<Record<string, readonly unknown[]>>): QueryResult {
  const values = Object.values(columns);
  const rows = values[0]?.length ?? 0;
  return {
    names: Object.keys(columns),
    types: values.map(() => 'String'),
    columns: values,
    rows,
    rowsRead: rows,
    bytesRead: 0,
    elapsedMs: 0,
  };
}
