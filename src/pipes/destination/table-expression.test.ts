import { expect, it } from 'vitest';
import { SqlTextError } from './sql-tokens.ts';
import { printedExpression } from './table-expression.ts';

const columns = new Set(['id', 'created_at', 'a.b', 'odd name']);

it.each([
  ['id', '`id`'],
  ['toYYYYMM(created_at)', 'toYYYYMM(`created_at`)'],
  ['(id, toDate(created_at))', '(`id`, toDate(`created_at`))'],
  ['id, created_at', '(`id`, `created_at`)'],
  ['created_at + INTERVAL 30 DAY', '`created_at` + toIntervalDay(30)'],
  ['toDateTime(created_at) + toIntervalMonth(1)', 'toDateTime(`created_at`) + toIntervalMonth(1)'],
  ['`odd name`', '`odd name`'],
  ['a.b', '`a.b`'],
  ['tuple()', 'tuple()'],
  ["ifNull(id, 'x')", "ifNull(`id`, 'x')"],
])('%s', (text, printed) => {
  expect(printedExpression(text, columns)).toBe(printed);
});

it.each([
  'other',
  'sleep(3)',
  "file('/etc/passwd')",
  '(SELECT 1)',
  'id; DROP TABLE x',
  'id) SETTINGS x = 1',
  'created_at + INTERVAL 30',
  'created_at + INTERVAL 30 PARSECS',
  'id -- x',
  '',
])('rejects %j', (text) => {
  expect(() => printedExpression(text, columns)).toThrow(SqlTextError);
});
