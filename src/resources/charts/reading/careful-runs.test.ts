import { describe, expect, it } from 'vitest';
import type { CompiledQuery } from '../../../query/compiled-query.ts';
import type { QueryResult } from '../../../telemetry/ports.ts';
import { CarefulRuns } from './careful-runs.ts';

const careful: CompiledQuery = { sql: 'careful', params: {}, settings: {} };
const usual: CompiledQuery = { ...careful, sql: 'usual', careful: () => careful };

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

/** Asks once with these answers to the two statements; tells which ran, and what the answer cost. */
async function asked(runs: CarefulRuns, needs: { usual: number; careful: number }, key = 'k') {
  const ran: string[] = [];
  const result = await runs.run(key, usual, async ({ sql }) => {
    ran.push(sql);
    return answer(sql === 'usual' ? needs.usual : needs.careful);
  });
  return { ran, rowsRead: result.rowsRead };
}

describe('usual and careful statements', () => {
  it('an answer that needs no care is the answer', async () => {
    expect(await asked(new CarefulRuns(), { usual: 0, careful: 0 })).toEqual({ ran: ['usual'], rowsRead: 10 });
  });

  it('else the careful statement follows; the answer costs what both cost', async () => {
    const runs = new CarefulRuns();
    expect(await asked(runs, { usual: 3, careful: 3 })).toEqual({ ran: ['usual', 'careful'], rowsRead: 20 });
  });

  it('it comes first for that question until its answer needs no care', async () => {
    const runs = new CarefulRuns();
    await asked(runs, { usual: 3, careful: 3 });
    expect((await asked(runs, { usual: 3, careful: 1 })).ran).toEqual(['careful']);
    expect((await asked(runs, { usual: 0, careful: 0 }, 'other')).ran).toEqual(['usual']);
    expect((await asked(runs, { usual: 0, careful: 0 })).ran).toEqual(['careful']);
    expect((await asked(runs, { usual: 0, careful: 0 })).ran).toEqual(['usual']);
  });

  it('a statement without a careful one runs alone', async () => {
    const result = await new CarefulRuns().run('k', careful, async () => answer(5));
    expect(result.rowsRead).toBe(10);
  });
});
