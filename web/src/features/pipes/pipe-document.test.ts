import { describe, expect, it } from 'vitest';
import { editableText, exampleText, kindNames, patchOf, readDocument, type SourceKind } from './pipe-document.ts';

const kinds = Object.keys(kindNames) as SourceKind[];

it.each(kinds)('the example of %s is JSON with one source', (kind) => {
  const { value } = readDocument(exampleText(kind)) as { value: { source: object } };
  expect(Object.keys(value.source)).toEqual([kind]);
});

it('what can be edited has no id and no state', () => {
  const pipe = { id: 'i', serviceId: 's', name: 'n', state: 'Running', createdAt: 'a', updatedAt: 'b', source: {} };
  expect(JSON.parse(editableText(pipe))).toEqual({ name: 'n', source: {} });
});

it.each([
  ['{\n  "a": 1,\n}', /^The text is not JSON \(line 3\)\.$/],
  ['', /^The text is not JSON/],
  ['[]', /must be a JSON object/],
  ['null', /must be a JSON object/],
])('%j is no pipe', (text, problem) => {
  expect(readDocument(text).problem).toMatch(problem);
});

describe('the patch of an edit', () => {
  it.each([
    [{ a: 1 }, { a: 1 }, {}],
    [{ a: 1 }, { a: 2 }, { a: 2 }],
    [{ a: 1 }, {}, { a: null }],
    [{}, { a: { b: 1 } }, { a: { b: 1 } }],
    [{ s: { key: 'k', url: 'u' } }, { s: { key: 'k', url: 'v' } }, { s: { url: 'v' } }],
    [{ s: { a: 1, b: 2 } }, { s: { b: 2 } }, { s: { a: null } }],
    [{ l: [1, 2] }, { l: [1] }, { l: [1] }],
    [{ a: { b: 1 } }, { a: 'x' }, { a: 'x' }],
  ])('from %j to %j is %j', (before, after, patch) => {
    expect(patchOf(before, after)).toEqual(patch);
  });
});
