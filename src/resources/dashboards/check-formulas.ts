import type { Problem } from '../../contract/problem.ts';
import type { BuilderConfig } from '../../contract/tile-config.ts';
import { QueryTextError, textProblem } from '../../query/compiled-query.ts';
import { parseFormula } from '../charts/request/parse-formula.ts';

/** Rules of `formulas` (contract §2.3). Paths are relative to the tile. */
export function checkFormulas(config: BuilderConfig): Problem[] {
  const select = 'select' in config && Array.isArray(config.select) ? config.select : [];
  const formulas = ('formulas' in config && config.formulas) || [];
  const problems = formulas.flatMap(({ expression }, index) => {
    const message = formulaProblem(expression, select.length);
    return message === undefined ? [] : [{ path: `config.formulas.${index}.expression`, message }];
  });
  if (formulas.length > 0 && 'asRatio' in config && config.asRatio) {
    problems.push({ path: 'config.formulas', message: 'cannot be combined with asRatio' });
  }
  if (config.displayType === 'number') {
    if (formulas.length > 1) problems.push({ path: 'config.formulas', message: 'must be exactly one for a number' });
    if (formulas.length === 0 && select.length > 1) {
      problems.push({ path: 'config.select', message: 'must be exactly one item unless there is a formula' });
    }
  }
  return problems;
}

/** What is wrong with it; `undefined` when a chart can draw it. */
function formulaProblem(expression: string, operands: number): string | undefined {
  try {
    parseFormula(expression, operands);
    return undefined;
  } catch (error) {
    if (error instanceof QueryTextError) return textProblem(error);
    throw error;
  }
}
