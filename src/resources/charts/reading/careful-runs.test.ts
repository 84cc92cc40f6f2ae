import { describe, expect, it } from 'vitest';
import type { CompiledQuery } from '../../../query/compiled-query.ts';
import type { QueryResult } from '../../../telemetry/ports.ts';
import { CarefulRuns } from './careful-runs.ts';

const careful: CompiledQuery = { sql: 'careful', params: {}, settings: {} };
const quick: CompiledQuery = { ...careful, sql: 'quick', careful: () => careful };

function answer(needsCare: number): QueryResult {
  const cost = { rowsRead: 10, bytesRead: 100, elapsedMs: 1 };
  return {
    names: ['ts', 'needs_care'],
    types: [],
    columns: [
      [0, 1],
      [0, needsCare],
    ],
    rows: 2,
    ...cost,
  };
}

/** Asks once with these answers to the two statements; returns which ran. */
async function asked(runs: CarefulRuns, needs: { quick: number; careful: number }, key = 'k') {
  const ran: string[] = [];
  const { runs: all } = await runs.run(key, quick, async ({ sql }) => {
    ran.push(sql);
    return answer(sql === 'quick' ? needs.quick : needs.careful);
  });
  expect(all.map(({ statement }) => statement.sql)).toEqual(ran);
  expect(all.map(({ careReason }) => careReason !== undefined)).toEqual(ran.map((sql) => sql === 'careful'));
  return ran;
}

describe('quick and careful statements', () => {
  it('an answer that needs no care is the answer', async () => {
    expect(await asked(new CarefulRuns(), { quick: 0, careful: 0 })).toEqual(['quick']);
  });

  it('else the careful statement follows', async () => {
    const runs = new CarefulRuns();
    expect(await asked(runs, { quick: 3, careful: 3 })).toEqual(['quick', 'careful']);
  });

  it('it comes first for that question until its answer needs no care', async () => {
    const runs = new CarefulRuns();
    await asked(runs, { quick: 3, careful: 3 });
    expect(await asked(runs, { quick: 3, careful: 1 })).toEqual(['careful']);
    expect(await asked(runs, { quick: 0, careful: 0 }, 'other')).toEqual(['quick']);
    expect(await asked(runs, { quick: 0, careful: 0 })).toEqual(['careful']);
    expect(await asked(runs, { quick: 0, careful: 0 })).toEqual(['quick']);
  });

  it('a statement without a careful one runs alone', async () => {
    const { runs: all } = await new CarefulRuns().run('k', careful, async () => answer(5));
    expect(all).toEqual([{ statement: careful, result: answer(5) }]);
  });
});
