import { expect, it } from 'vitest';
import type { ThresholdType } from '../resources/alerts/alert.ts';
import { breaks } from './threshold.ts';

/** decisions A2, for threshold 5 and thresholdMax 7; the values 4, 5, 6, 7, 8 in this order. */
const table: Record<ThresholdType, string> = {
  above: '.xxxx',
  above_exclusive: '..xxx',
  below: 'x....',
  below_or_equal: 'xx...',
  equal: '.x...',
  not_equal: 'x.xxx',
  between: '.xxx.',
  not_between: 'x...x',
};

it.each(Object.entries(table))('decisions A2: %s', (thresholdType, expected) => {
  const rule = { threshold: 5, thresholdMax: 7, thresholdType: thresholdType as ThresholdType };
  expect([4, 5, 6, 7, 8].map((value) => (breaks(rule, value) ? 'x' : '.')).join('')).toBe(expected);
});
