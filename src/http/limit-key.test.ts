import { expect, it } from 'vitest';
import { limitKeyOf } from './limit-key.ts';

it.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
  ['2001:db8:1:2:ffff::', '2001:db8:1:2::'],
  ['2001:db8:1:3::1', '2001:db8:1:3::'],
  ['::1', '::'],
  ['unknown', 'unknown'],
])('the address %s is counted as %s', (address, key) => {
  expect(limitKeyOf(address)).toBe(key);
});
