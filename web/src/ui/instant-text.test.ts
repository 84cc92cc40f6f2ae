import { expect, it } from 'vitest';
import { instantText } from './instant-text.ts';

it('writes instants alike everywhere: local, with seconds only where there are any', () => {
  expect(instantText(new Date(2026, 10, 8, 9, 5, 0).getTime())).toBe('2026-11-08 09:05');
  expect(instantText(new Date(2026, 10, 8, 21, 5, 7).toISOString())).toBe('2026-11-08 21:05:07');
});
