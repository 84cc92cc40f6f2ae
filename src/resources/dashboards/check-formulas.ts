import type { Problem } from '../../contract/problem.ts';
import type { BuilderConfig } from '../../contract/tile-config.ts';

const nestingMax = 64;

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

/**
 * What is wrong with `A / (B + 1)`; `undefined` when nothing is. `+ - * /`, parentheses, decimal numbers, unary minus,
 * and single capital letters for the select items.
 */
export function formulaProblem(text: string, operands: number): string | undefined {
  const tokens = text.match(/\s+|\d+(?:\.\d+)?|\.\d+|[A-Z]|[-+*/()]|./gs)?.filter((token) => token.trim() !== '') ?? [];
  let depth = 0;
  let wantsOperand = true;
  for (const token of tokens) {
    if (/^[A-Z\d.]/.test(token) && wantsOperand) {
      const problem = operandProblem(token, operands);
      if (problem) return problem;
      wantsOperand = false;
    } else if (token === '(' && wantsOperand) {
      depth += 1;
      if (depth > nestingMax) return `must not nest deeper than ${nestingMax}`;
    } else if (token === ')' && !wantsOperand && depth > 0) {
      depth -= 1;
    } else if (/^[-+*/]$/.test(token) && (!wantsOperand || token === '-')) {
      wantsOperand = true;
    } else {
      return `is not a formula: unexpected ${JSON.stringify(token)}`;
    }
  }
  return wantsOperand || depth > 0 ? 'is not a formula: it ends too early' : undefined;
}

function operandProblem(token: string, operands: number): string | undefined {
  if (!/^[A-Z]$/.test(token)) return /^\.$/.test(token) ? 'is not a formula: unexpected "."' : undefined;
  const index = token.charCodeAt(0) - 'A'.charCodeAt(0);
  return index < operands
    ? undefined
    : `uses ${token}, but there ${operands === 1 ? 'is 1 item' : `are ${operands} items`}`;
}
