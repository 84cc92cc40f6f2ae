import { expect, it } from 'vitest';
import { readAnswer } from './read-answer.ts';

const rows = [{ Body: 'hello' }];
const meta = { warnings: ['w'] };

it.each([
  ['self-hosted', { data: rows, meta }],
  ['managed', { requestId: 'r', result: rows, meta, status: 200 }],
])('a list, %s', (_flavour, body) => {
  expect(readAnswer('alerts', body, null)).toEqual({ data: rows, meta });
});

it.each([
  ['self-hosted', { data: rows, rows: 1, meta }],
  ['managed', { requestId: 'r', result: { data: rows, rows: 1, meta }, status: 200 }],
])('a page of events, %s', (_flavour, body) => {
  expect(readAnswer('search', body, null)).toEqual({ data: rows, meta });
});

it.each([
  ['self-hosted', { valid: true, errors: [] }],
  ['managed', { requestId: 'r', result: { valid: true, errors: [] }, status: 200 }],
])('an answer without data, %s', (_flavour, body) => {
  expect(readAnswer('dashboards/validate', body, null).data).toEqual({ valid: true, errors: [] });
});

it('the length of a paged list is in the header, and self-hosted in `meta` as well', () => {
  expect(readAnswer('alerts', { result: rows }, '2001').meta).toEqual({ total: 2001 });
  const page = { total: 2001, limit: 1000, offset: 0 };
  expect(readAnswer('alerts', { data: rows, meta: page }, '2001').meta).toEqual(page);
});
