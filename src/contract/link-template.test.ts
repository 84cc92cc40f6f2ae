import { describe, expect, it } from 'vitest';
import { linkTemplateProblem, parseLinkTemplate, urlTemplateProblem } from './link-template.ts';

const value = (column: string, rest: object = {}) => ({ kind: 'value', column, ...rest });

describe('templates of links', () => {
  it.each([
    ['plain text', 'a { b } }}', ['a { b } }}']],
    ['values', '{{a}}/{{ b.c }}/{{{d}}}', [value('a'), '/', value('b.c'), '/', value('d')]],
    ['a column in brackets', '{{[count()]}} {{[a b]}}', [value('count()'), ' ', value('a b')]],
    ['helpers', '{{int a}}{{json [b c]}}', [value('a', { helper: 'int' }), value('b c', { helper: 'json' })]],
    [
      'a fallback',
      `{{default a "none"}}{{default b 'x y'}}`,
      [value('a', { helper: 'default', fallback: 'none' }), value('b', { helper: 'default', fallback: 'x y' })],
    ],
    [
      'a choice',
      'x{{#eq a "1"}}y{{b}}{{else}}z{{/eq}}',
      ['x', { kind: 'choice', column: 'a', equals: '1', yes: ['y', value('b')], no: ['z'] }],
    ],
    [
      'a choice in another, without else',
      '{{#eq a 1}}{{#eq b 2}}c{{/eq}}{{/eq}}',
      [
        {
          ...{ kind: 'choice', column: 'a', equals: '1', no: [] },
          yes: [{ kind: 'choice', column: 'b', equals: '2', yes: ['c'], no: [] }],
        },
      ],
    ],
    ['nothing', '', []],
  ])('has %s', (_title, text, parts) => {
    expect(parseLinkTemplate(text)).toEqual(parts);
  });

  it.each([
    ['{{a', 'is not closed by }} (at character 1)'],
    ['ab {{', 'is not closed by }} (at character 4)'],
    ['{{}}', 'can’t read {{}}'],
    ['{{#if a}}b{{/if}}', 'can’t read {{#if a}}'],
    ['{{a b}}', 'can’t read {{a b}}'],
    ['{{a["b"]}}', 'can’t read'],
    ['{{default a}}', 'default needs a column and a text'],
    ['{{int a "b"}}', 'int takes one column'],
    ['a{{/eq}}', '{{/eq}} has no {{#eq …}} before it (at character 2)'],
    ['{{else}}', '{{else}} has no {{#eq'],
    ['{{#eq a "b"}}c', 'is not closed by {{/eq}}'],
    ['{{#eq a "b"}}c{{else}}d', 'is not closed by {{/eq}}'],
    ['{{#eq a "b"}}{{else}}{{else}}{{/eq}}', 'second {{else}}'],
    ['{{#eq a "b"}}'.repeat(9) + '{{/eq}}'.repeat(9), 'nested 8 deep'],
  ])('%s is rejected', (text, reason) => {
    expect(linkTemplateProblem(text)).toContain(reason);
    expect(urlTemplateProblem(text)).toContain(reason);
  });

  it.each(['https://a.example/{{b}}', 'HTTP://a', '{{url}}', '{{#eq a "b"}}https://x{{/eq}}'])(
    'the address %s may lead somewhere',
    (text) => expect(urlTemplateProblem(text)).toBeUndefined(),
  );

  it.each(['', 'javascript:alert(1)', ' https://a', 'https://', '/dashboards', 'ftp://a', '//a/{{b}}', 'data:,{{a}}'])(
    'the address “%s” does not',
    (text) => expect(urlTemplateProblem(text)).toMatch(/must begin with https/),
  );
});
