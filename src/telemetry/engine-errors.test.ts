import { expect, it } from 'vitest';
import { engineErrorOf } from './engine-errors.ts';

it.each([
  [500, '159', 'Code: 159. DB::Exception: Timeout', 'timeout', 159],
  [500, undefined, 'Code: 241. DB::Exception: Memory limit', 'limit', 241],
  [500, '394', '', 'cancelled', 394],
  [500, '252', '', 'unavailable', 252],
  [404, '60', 'Code: 60. DB::Exception: Unknown table', 'failed', 60],
  [
    500,
    '32',
    'Code: 32. DB::Exception: Attempt to read after eof: while receiving packet from 10.0.0.1:9000',
    'unavailable',
    32,
  ],
  [500, '32', 'Code: 32. DB::Exception: Attempt to read after eof: (at row 3)', 'failed', 32],
  [503, undefined, '<html>Bad gateway</html>', 'unavailable', undefined],
  [404, undefined, '<html>Not here</html>', 'unreadable', undefined],
] as const)('status %i, code %s, %j is %s', (status, header, body, kind, engineCode) => {
  expect(engineErrorOf(status, header, body)).toMatchObject({ kind, engineCode });
});

it('repeats nothing of an answer that is no engine’s', () => {
  expect(engineErrorOf(502, undefined, '<html>internal-host.example</html>').message).not.toContain('internal-host');
});
