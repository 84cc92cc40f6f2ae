import type { Notification } from '../../evaluator/ports.ts';
import { assertNever } from '../../kernel/assert-never.ts';

type Rule = Notification['alert'];

/** `meets or exceeds 5` while it fires, the opposite once it has ended. */
export function conditionText(rule: Rule, resolved: boolean): string {
  const { threshold } = rule;
  const max = rule.thresholdMax ?? threshold;
  switch (rule.thresholdType) {
    case 'above':
      return resolved ? `falls below ${threshold}` : `meets or exceeds ${threshold}`;
    case 'above_exclusive':
      return resolved ? `falls to or below ${threshold}` : `exceeds ${threshold}`;
    case 'below':
      return resolved ? `meets or exceeds ${threshold}` : `falls below ${threshold}`;
    case 'below_or_equal':
      return resolved ? `exceeds ${threshold}` : `falls to or below ${threshold}`;
    case 'equal':
      return resolved ? `does not equal ${threshold}` : `equals ${threshold}`;
    case 'not_equal':
      return resolved ? `equals ${threshold}` : `does not equal ${threshold}`;
    case 'between':
      return resolved ? `falls outside ${threshold} and ${max}` : `falls between ${threshold} and ${max}`;
    case 'not_between':
      return resolved ? `falls between ${threshold} and ${max}` : `falls outside ${threshold} and ${max}`;
    default:
      return assertNever(rule.thresholdType);
  }
}

/**
 * Whole numbers in full; others with as many decimals as the thresholds, at least two, and as many more as show on which
 * side of each the value is.
 */
export function valueText(
  value: number | null,
  rule: Pick<Rule, 'threshold' | 'thresholdMax' | 'recoveryThreshold'>,
): string {
  if (value === null) return 'no data';
  if (Number.isInteger(value)) return String(value);
  const bounds = [0, rule.threshold, rule.thresholdMax, rule.recoveryThreshold].filter((bound) => bound !== undefined);
  for (let decimals = Math.max(2, ...bounds.map(decimalsOf)); decimals <= decimalsMax; decimals++) {
    const text = value.toFixed(decimals);
    if (bounds.every((bound) => Math.sign(Number(text) - bound) === Math.sign(value - bound))) return text;
  }
  return String(value);
}

const decimalsMax = 20;

function decimalsOf(bound: number): number {
  return (/\.(\d+)$/.exec(String(bound))?.[1] ?? '').length;
}
