import type { CompiledQuery } from '../../src/query/compiled-query.ts';

/** A statement with its parameters, as it is kept for review. */
export function statementText({ sql, params }: CompiledQuery): string {
  const values = Object.entries(params).map(([key, value]) => `-- ${key} = ${JSON.stringify(value)}\n`);
  return `${sql}\n${values.join('')}`;
}
