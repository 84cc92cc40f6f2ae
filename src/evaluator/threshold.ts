import { assertNever } from '../kernel/assert-never.ts';
import type { Alert } from '../resources/alerts/alert.ts';

export type Threshold = Pick<Alert, 'threshold' | 'thresholdMax' | 'thresholdType' | 'recoveryThreshold'>;

/**
 * Does a firing group keep firing at this value? With a recovery threshold, until the same comparison with it fails
 * (U-28): fires at ≥ 80 and recovers below 70.
 */
export function staysBroken(rule: Threshold, value: number): boolean {
  if (breaks(rule, value)) return true;
  return rule.recoveryThreshold !== undefined && breaks({ ...rule, threshold: rule.recoveryThreshold }, value);
}

/** Does the value break the rule? (decisions A2: `above` is ≥, ranges include both bounds) */
export function breaks(rule: Threshold, value: number): boolean {
  const max = rule.thresholdMax ?? rule.threshold;
  switch (rule.thresholdType) {
    case 'above':
      return value >= rule.threshold;
    case 'above_exclusive':
      return value > rule.threshold;
    case 'below':
      return value < rule.threshold;
    case 'below_or_equal':
      return value <= rule.threshold;
    case 'equal':
      return value === rule.threshold;
    case 'not_equal':
      return value !== rule.threshold;
    case 'between':
      return value >= rule.threshold && value <= max;
    case 'not_between':
      return value < rule.threshold || value > max;
    default:
      return assertNever(rule.thresholdType);
  }
}
