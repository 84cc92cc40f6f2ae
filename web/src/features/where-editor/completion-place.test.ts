import { describe, expect, it } from 'vitest';
import { completionPlace, writtenValue } from './completion-place.ts';

describe('what is being written in Lucene', () => {
  it.each([
    ['', { kind: 'field', from: 0, prefix: '' }],
    ['Serv', { kind: 'field', from: 0, prefix: 'Serv' }],
    ['error AND -Sev', { kind: 'field', from: 11, prefix: 'Sev' }],
    ['ServiceName:', { kind: 'value', field: 'ServiceName', from: 12, prefix: '', quote: false }],
    ['a (ServiceName:ca', { kind: 'value', field: 'ServiceName', from: 15, prefix: 'ca', quote: false }],
    ['Body:"two wo', { kind: 'value', field: 'Body', from: 5, prefix: 'two wo', quote: true }],
    [
      'LogAttributes.http.status_code:>=4',
      { kind: 'value', field: 'LogAttributes.http.status_code', from: 33, prefix: '4', quote: false },
    ],
  ])('%j', (text, place) => {
    expect(completionPlace(text, 'lucene')).toEqual(place);
  });

  it('is nothing inside a phrase', () => {
    expect(completionPlace('"connection res', 'lucene')).toBeUndefined();
  });
});

describe('what is being written in SQL', () => {
  it.each([
    ['Serv', { kind: 'field', from: 0, prefix: 'Serv' }],
    ["ServiceName = '", { kind: 'value', field: 'ServiceName', from: 14, prefix: '', quote: true }],
    [
      "x = 1 AND LogAttributes['a.b'] != 'y",
      { kind: 'value', field: "LogAttributes['a.b']", from: 34, prefix: 'y', quote: true },
    ],
    ["ServiceName IN ('a', 'b", { kind: 'value', field: 'ServiceName', from: 21, prefix: 'b', quote: true }],
    ["ServiceName = 'a' AND Sev", { kind: 'field', from: 22, prefix: 'Sev' }],
  ])('%j', (text, place) => {
    expect(completionPlace(text, 'sql')).toEqual(place);
  });
});

describe('values as they are written', () => {
  it('are quoted where they must be', () => {
    expect(writtenValue('cart', 'lucene')).toBe('cart');
    expect(writtenValue('two words', 'lucene')).toBe('"two words"');
    expect(writtenValue('OR', 'lucene')).toBe('"OR"');
    expect(writtenValue('say "hi"', 'lucene')).toBe('"say \\"hi\\""');
    expect(writtenValue("it's", 'sql')).toBe("'it\\'s'");
  });
});
