import { describe, expect, it } from 'vitest';
import { QueryTextError } from '../compiled-query.ts';
import { parseOrder } from './parse-order.ts';

const columns = new Map([
  ['Timestamp', 'DateTime64(9)'],
  ['Events.Name', 'Array(String)'],
  ['k8s pod', 'String'],
]);

describe('contract §7: orderBy takes columns with ASC or DESC only', () => {
  it.each([
    ['Timestamp', [{ column: 'Timestamp', descending: false }]],
    [' Timestamp  desc ', [{ column: 'Timestamp', descending: true }]],
    [
      'Events.Name ASC,`k8s pod` DESC',
      [
        { column: 'Events.Name', descending: false },
        { column: 'k8s pod', descending: true },
      ],
    ],
  ])('%s', (text, expected) => expect(parseOrder(text, columns)).toEqual(expected));

  it.each([
    ['', 0],
    ['Timestamp,', 10],
    ['Timestamp DESC, Gone', 16],
    ['Timestamp DESC NULLS FIRST', 0],
    ['rand()', 0],
    ['Timestamp LIMIT 1', 0],
    ['1', 0],
    ['Timestamp; DROP TABLE x', 0],
    ['(SELECT 1)', 0],
  ])('%s is rejected at position %d', (text, position) => {
    expect(() => parseOrder(text, columns)).toThrow(expect.objectContaining({ position }));
    expect(() => parseOrder(text, columns)).toThrow(QueryTextError);
  });
});
