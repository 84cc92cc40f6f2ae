import type { Formula, FormulaOperator } from '../request/parse-formula.ts';
import type { Cell } from './chart-table.ts';

/** The value for these operands; null when one that is used is missing, a divisor is 0 or the result no number. */
export function evaluateFormula(formula: Formula, operands: readonly Cell[]): number | null {
  const value = resultOf(formula, operands);
  return value !== null && Number.isFinite(value) ? value : null;
}

function resultOf(formula: Formula, operands: readonly Cell[]): number | null {
  switch (formula.kind) {
    case 'number':
      return formula.value;
    case 'operand':
      return operands[formula.index] ?? null;
    case 'negative': {
      const value = resultOf(formula.item, operands);
      return value === null ? null : -value;
    }
    case 'binary': {
      const left = resultOf(formula.left, operands);
      const right = resultOf(formula.right, operands);
      return left === null || right === null ? null : combine(formula.operator, left, right);
    }
  }
}

function combine(operator: FormulaOperator, left: number, right: number): number | null {
  if (operator === '+') return left + right;
  if (operator === '-') return left - right;
  if (operator === '*') return left * right;
  return right === 0 ? null : left / right;
}
