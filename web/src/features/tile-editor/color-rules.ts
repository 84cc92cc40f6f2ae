import type { Static } from 'typebox';
import type { ColorRuleSchema } from '../../../../src/contract/chart-color.ts';

type ColorRule = Static<typeof ColorRuleSchema>;

/** The value of a rule as its field shows it. */
export function valueText({ value }: ColorRule): string {
  return Array.isArray(value) ? value.join(', ') : String(value);
}

/** The rule with another operator, value or colour; its value is of the kind that the operator compares with. */
export function ruleWith(rule: ColorRule, change: { operator?: string; text?: string; color?: string }): ColorRule {
  const { operator = rule.operator, text = valueText(rule), color = rule.color } = change;
  const { label } = rule;
  const shared = { operator, color, ...(label === undefined ? {} : { label }) };
  // Made of the operators and colours that the contract lists.
  return { ...shared, value: valueFor(text, operator) } as ColorRule;
}

function valueFor(text: string, operator: string): number | string | number[] {
  const [first = 0, second = first] = text.split(',').map(numberOf);
  if (operator === 'between') return [Math.min(first, second), Math.max(first, second)];
  const isNumber = text.trim() !== '' && Number.isFinite(Number(text));
  return (operator === 'eq' || operator === 'neq') && !isNumber ? text.trim() : first;
}

function numberOf(text: string): number {
  const number = Number(text);
  return Number.isFinite(number) ? number : 0;
}
