import { expect, it } from 'vitest';
import { boxPlace } from './place-boxes.ts';

const box = { width: 100, height: 40 };

it.each([
  ['right of the pointer in the left half', { left: 50, top: 10, width: 400, height: 200 }, { left: 62, top: 10 }],
  ['left of it in the right half', { left: 300, top: 10, width: 400, height: 200 }, { left: 188, top: 10 }],
  ['not below the plot', { left: 50, top: 190, width: 400, height: 200 }, { left: 62, top: 160 }],
  ['within it where neither side has room', { left: 60, top: 0, width: 90, height: 200 }, { left: 0, top: 0 }],
  ['not beyond its right edge', { left: 60, top: 0, width: 130, height: 200 }, { left: 30, top: 0 }],
  ['at the top of a plot that is less high', { left: 50, top: 20, width: 400, height: 30 }, { left: 62, top: 0 }],
])('the box is %s', (_, place, expected) => {
  expect(boxPlace(box, place)).toEqual(expected);
});
