import { expect, it } from 'vitest';
import { bodyOfSource, fieldsOfSource, isCompleteSource } from './source-fields.ts';

it('shows what the columns mean, not where the source reads', () => {
  const paths = fieldsOfSource('log').map(({ path }) => path);
  expect(paths).toEqual(expect.arrayContaining(['timestampValueExpression', 'bodyExpression', 'traceIdExpression']));
  expect(paths.filter((path) => /^from|SourceId$/.test(path))).toEqual([]);
});

it('sends the fields of the kind that have a value', () => {
  const texts = {
    name: ' orders ',
    timestampValueExpression: 'placed_at',
    bodyExpression: '',
    durationExpression: 'd',
  };
  expect(bodyOfSource('log', texts)).toEqual({ kind: 'log', name: 'orders', timestampValueExpression: 'placed_at' });
  expect(bodyOfSource('trace', texts)).toHaveProperty('durationExpression', 'd');
});

it('is complete with a name, a time and the columns of the list', () => {
  const texts = { name: 'a', timestampValueExpression: 'at', defaultTableSelectExpression: 'at' };
  expect(isCompleteSource('log', texts)).toBe(true);
  expect(isCompleteSource('trace', texts)).toBe(false);
  expect(isCompleteSource('log', { ...texts, name: ' ' })).toBe(false);
});
