import type { AlertInput } from './alert.ts';

type ThresholdType = AlertInput['thresholdType'];

/** What is compared, as messages and pages write it (decisions A2). */
export const thresholdSymbols: Readonly<Record<ThresholdType, string>> = {
  above: '≥',
  above_exclusive: '>',
  below: '<',
  below_or_equal: '≤',
  equal: '=',
  not_equal: '≠',
  between: 'between',
  not_between: 'not between',
};

/** Whether the type has two bounds. */
export function isRange(type: ThresholdType): boolean {
  return type === 'between' || type === 'not_between';
}

export interface Limit {
  threshold: number;
  thresholdMax?: number | null | undefined;
  thresholdType: ThresholdType;
}

/** `≥ 5`, `between 1 and 3`; an upper bound that is still to be given is `…`. */
export function thresholdText(
  { threshold, thresholdMax, thresholdType }: Limit,
  written: (value: number) => string = String,
): string {
  const least = `${thresholdSymbols[thresholdType]} ${written(threshold)}`;
  if (!isRange(thresholdType)) return least;
  return `${least} and ${typeof thresholdMax === 'number' ? written(thresholdMax) : '…'}`;
}
