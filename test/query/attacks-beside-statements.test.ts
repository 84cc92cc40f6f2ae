import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/contract/errors.ts';
import type { LogSource } from '../../src/contract/source.ts';
import { QueryTextError } from '../../src/query/compiled-query.ts';
import { testLogs } from '../../src/query/testing.ts';
import { evaluateFormula } from '../../src/resources/charts/answer/evaluate-formula.ts';
import { sourceToSchema } from '../../src/resources/charts/reading/source-to-schema.ts';
import { parseFormula } from '../../src/resources/charts/request/parse-formula.ts';
import { QueryProblem } from '../../src/resources/charts/request/query-problem.ts';
import { filterRows } from '../../src/resources/charts/tiles/filter-rows.ts';
import { orderRows } from '../../src/resources/charts/tiles/order-rows.ts';
import { tableProblems } from '../../src/resources/sources/check-against-table.ts';
import { defaultSources } from '../../src/resources/sources/default-sources.ts';
import { attacks } from './attack-corpus.ts';

/** Texts that the program evaluates itself: they never reach the store and are never run as code. */
const rows = [
  { group: ['a'], values: [1, null] },
  { group: ['b'], values: [2, 3] },
];
const names = { groups: ['ServiceName'], values: ['count()', 'max(Duration)'] };

/** The answer, or nothing if the text was rejected properly. */
function resultOrRejected<T>(evaluate: () => T, rejection: typeof QueryProblem | typeof QueryTextError): T | undefined {
  try {
    return evaluate();
  } catch (error) {
    if (error instanceof rejection) return undefined;
    throw error;
  }
}

describe('attacks beside statements', () => {
  it('HAVING of a tile: rejected with its place, or some of the rows', () => {
    for (const having of attacks) {
      const kept = resultOrRejected(() => filterRows(rows, having, names), QueryProblem) ?? [];
      expect(rows).toEqual(expect.arrayContaining([...kept]));
    }
  });

  it('the order of a tile: rejected, or the same rows', () => {
    for (const orderBy of attacks) {
      const ordered = resultOrRejected(() => orderRows(rows, orderBy, names), QueryProblem) ?? rows;
      expect(new Set(ordered)).toEqual(new Set(rows));
    }
  });

  it('formulas: rejected, or a number', () => {
    for (const text of attacks) {
      const formula = resultOrRejected(() => parseFormula(text, 2), QueryTextError);
      if (formula) expect([text, typeof (evaluateFormula(formula, [6, 3]) ?? 0)]).toEqual([text, 'number']);
    }
  });
});

const expressions = [
  'timestampValueExpression',
  'displayedTimestampValueExpression',
  'implicitColumnExpression',
  'bodyExpression',
  'serviceNameExpression',
  'eventAttributesExpression',
  'resourceAttributesExpression',
  'defaultTableSelectExpression',
] as const satisfies (keyof LogSource)[];

describe('attacks in the expressions of a source', () => {
  const ids = { logs: 'a'.repeat(24), traces: 'b'.repeat(24), metrics: 'c'.repeat(24) };
  const home = { connectionId: 'd'.repeat(24), database: 'otel' };
  const logs = defaultSources(ids, home).find((source): source is LogSource => source.kind === 'log');
  if (!logs) throw new Error('there is no log source');
  const { columns } = testLogs.table;

  it.each(expressions)('%s: names a column of the table, or is left out or rejected', (key) => {
    for (const text of attacks) {
      try {
        const schema = sourceToSchema({ ...logs, [key]: text }, undefined, testLogs.table);
        if (schema.kind === 'metric') throw new Error('logs became metrics');
        const { timestampColumn, sortTimeColumn, implicitColumn, serviceNameColumn, attributeColumns } = schema;
        const used = [timestampColumn, sortTimeColumn, implicitColumn, serviceNameColumn, ...attributeColumns];
        expect(used.filter((name) => name !== undefined && !columns.has(name))).toEqual([]);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
      }
    }
  });

  it.each(expressions)('%s: the check of a source says what is wrong', (key) => {
    // The table of the compiler's tests has no such column.
    const source = { ...logs, spanIdExpression: '' };
    for (const text of attacks) {
      const problems = tableProblems({ ...source, [key]: text }, testLogs.table);
      for (const { path, message } of problems) expect([path, typeof message]).toEqual([key, 'string']);
    }
  });
});
