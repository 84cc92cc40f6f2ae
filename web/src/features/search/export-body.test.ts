import { expect, it } from 'vitest';
import { exportBody, exportSentence } from './export-body.ts';
import { readColumns } from './list-columns.ts';
import { logSource } from './testing.ts';

it('says aloud what the file will hold', () => {
  expect(exportSentence(1_234_567, '')).toBe('Exports the newest 100,000 of 1,234,567 events.');
  expect(exportSentence(1_234_567, 'Body ASC')).toBe('Exports the first 100,000 of 1,234,567 events.');
  expect(exportSentence(100_000, '')).toBe('Exports all 100,000 events.');
  expect(exportSentence(1, '')).toBe('Exports 1 event.');
  expect(exportSentence(undefined, '')).toBe('Exports the newest 100,000 events at most.');
});

it('exports the columns of the list in their order, or all', () => {
  const search = { source: logSource, where: 'a', language: 'lucene' as const, range: { startMs: 0, endMs: 1000 } };
  const view = { columns: readColumns("Body, LogAttributes['a'] AS x", logSource), orderBy: 'Body ASC' };
  expect(exportBody(search, view, { format: 'csv' })).toEqual({
    sourceId: 'l',
    startTime: '1970-01-01T00:00:00.000Z',
    endTime: '1970-01-01T00:00:01.000Z',
    where: 'a',
    whereLanguage: 'lucene',
    select: "Body, LogAttributes['a'] AS x",
    orderBy: 'Body ASC',
    format: 'csv',
  });
  expect(exportBody(search, view, { format: 'ndjson', select: 'TraceId' }).select).toBe('TraceId');
});
