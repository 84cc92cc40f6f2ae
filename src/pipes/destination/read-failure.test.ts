import { expect, it } from 'vitest';
import { TelemetryError } from '../../telemetry/ports.ts';
import { readFailureOf } from './read-failure.ts';

it.each([
  [
    `Code: 27. DB::Exception: Cannot parse input: expected '"' before: 'free"}\\n{"id":4712,"secret":"of the next record"}\\n': (at row 5)`,
    `Cannot parse input: expected '"' before: 'free"}…`,
    4,
  ],
  [
    `Code: 27. DB::Exception: Cannot parse input before: '${'x'.repeat(200)}': (at row 1)`,
    `Cannot parse input before: '${'x'.repeat(80)}…`,
    0,
  ],
  ['Code: 72. DB::Exception: Cannot parse number: (at row 2)\nmore', 'Cannot parse number', 1],
  [
    'Code: 117. DB::Exception: Unknown field found while parsing JSONEachRow format: x: (in file/uri /tmp/y): While executing',
    'Unknown field found while parsing JSONEachRow format: x',
    undefined,
  ],
])('%s', (message, reason, row) => {
  const code = Number(/^Code: (\d+)/.exec(message)?.[1]);
  const failure = readFailureOf(new TelemetryError('failed', message, code));
  expect(failure?.reason).toBe(reason);
  expect(failure?.row === undefined ? undefined : failure.row - 1).toBe(row);
});

it('an error that is not about the records is none of them', () => {
  expect(readFailureOf(new TelemetryError('failed', 'Code: 60. DB::Exception: Unknown table', 60))).toBeUndefined();
});
