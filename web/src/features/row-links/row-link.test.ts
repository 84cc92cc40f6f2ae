import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OnClick } from '../../../../src/contract/on-click.ts';
import { type LinkRow, renderCondition, renderText, renderUrl } from './render-link.ts';
import { type LinkTargets, rowLink } from './row-link.ts';

const rowOf = (cells: Record<string, string | number | null>): LinkRow => new Map(Object.entries(cells));
const row = rowOf({ ServiceName: 'cart', 'count()': 12.6, nothing: null, route: '/pay "now"', name: 'Logs' });
const targets: LinkTargets = {
  sources: [
    { id: 'l', name: 'Logs', kind: 'log' },
    { id: 't', name: 'Twice', kind: 'trace' },
    { id: 'u', name: 'Twice', kind: 'trace' },
    { id: 'm', name: 'Metrics', kind: 'metric' },
  ],
  dashboards: [
    {
      ...{ id: 'd', name: 'Service cart' },
      filters: [{ id: 'f', type: 'QUERY_EXPRESSION', name: 'Service', expression: 'ServiceName', sourceId: 'l' }],
    },
  ],
  variables: [{ name: 'env', values: ['live'], expression: 'Env' }],
};
const filter = (expression: string, template: string) => ({
  kind: 'expressionTemplate' as const,
  expression,
  template,
});
const search = (rest: Partial<OnClick> = {}) =>
  ({ type: 'search', target: { mode: 'id', id: 'l' }, ...rest }) as OnClick;
const dashboard = (rest: Partial<OnClick> = {}) =>
  ({ type: 'dashboard', target: { mode: 'id', id: 'd' }, ...rest }) as OnClick;

describe('texts of links', () => {
  it.each([
    ['{{ServiceName}} {{[count()]}} {{nothing}}', 'cart 12.6 '],
    ['{{int [count()]}}{{int nothing}}{{int ServiceName}}', '13'],
    ['{{json ServiceName}}{{json nothing}}', '"cart"null'],
    ['{{default nothing "none"}} {{default ServiceName "none"}}', 'none cart'],
    ['{{#eq ServiceName "cart"}}yes{{else}}no{{/eq}} {{#eq nothing "x"}}yes{{/eq}}', 'yes '],
    ['{{encodeURIComponent route}}', '%2Fpay%20%22now%22'],
  ])('%s', (template, text) => {
    expect(renderText(template, row)).toBe(text);
  });
});

describe('addresses of links', () => {
  it.each([
    ['https://w.example/{{route}}?q={{route}}', 'https://w.example/%2Fpay%20%22now%22?q=%2Fpay%20%22now%22'],
    ['https://w.example/?q={{encodeURIComponent route}}', 'https://w.example/?q=%2Fpay%20%22now%22'],
    ['http://{{ServiceName}}.example/', 'http://cart.example/'],
  ])('%s', (template, address) => {
    expect(renderUrl(template, row)).toBe(address);
  });

  it('a row may give the whole address, but only one of the web', () => {
    expect(renderUrl('{{a}}/x', rowOf({ a: 'https://runbooks.example/y' }))).toBe('https://runbooks.example/y/x');
    for (const a of ['javascript:alert(1)//', 'data:text/html,x', 'file:///etc', '', 'java\nscript:alert(1)']) {
      expect(() => renderUrl('{{a}}', rowOf({ a }))).toThrow('begins with http');
    }
  });

  it('no value adds a host, a path or a parameter', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }).filter((text) => !/\p{Surrogate}/u.test(text)),
        (value) => {
          const url = new URL(renderUrl('https://a.example/x/{{v}}y?q={{v}}#{{v}}', rowOf({ v: value })));
          expect(url.host).toBe('a.example');
          expect([...url.searchParams]).toEqual([['q', value]]);
          expect(decodeURIComponent(url.pathname)).toBe(`/x/${value}y`);
        },
      ),
    );
  });
});

describe('conditions of links', () => {
  const ask = (template: string, language: 'lucene' | 'sql', cells = row) =>
    renderCondition(template, language, { row: cells, variables: targets.variables });

  it.each([
    ['lucene', 'route:"{{route}}" Env:"$env"', 'route:"/pay \\"now\\"" Env:"live"'],
    ['lucene', 'route:{{route}}', 'route:("/pay \\"now\\"")'],
    ['lucene', 'route:{{json ServiceName}}', 'route:("cart")'],
    ['lucene', 'n:>{{[count()]}} m:{{int [count()]}}', 'n:>12.6 m:13'],
    [
      'sql',
      "r = '{{route}}' AND s = {{ServiceName}} AND n > {{[count()]}}",
      "r = '/pay \"now\"' AND s = 'cart' AND n > 12.6",
    ],
  ] as const)('%s: %s', (language, template, condition) => {
    expect(ask(template, language)).toBe(condition);
  });

  it('a value stays one literal, whatever it contains', () => {
    const wild = fc.oneof(
      fc.string(),
      fc.constantFrom('$env', "' OR 1=1 --", '" OR *', '\\', '{{ServiceName}}', "\\'"),
    );
    const inner = /^'((?:[^'\\]|\\[\s\S])*)'$/;
    fc.assert(
      fc.property(wild, (value) => {
        const cells = rowOf({ v: value });
        for (const template of ["'{{v}}'", '{{v}}']) {
          const literal = inner.exec(ask(template, 'sql', cells))?.[1];
          expect(literal?.replaceAll(/\\([\s\S])/g, '$1')).toBe(value);
        }
      }),
    );
  });
});

describe('links of rows', () => {
  it.each([
    ['all events of a source', search(), { source: 'l', where: '', lang: 'lucene' }],
    [
      'events by a condition and values',
      search({ whereTemplate: 'SeverityText:error', filters: [filter('ServiceName', '{{ServiceName}}')] }),
      { source: 'l', where: '(SeverityText:error) ServiceName:"cart"', lang: 'lucene' },
    ],
    [
      'values of one expression, which are alternatives',
      search({ filters: [filter('ServiceName', '{{ServiceName}}'), filter(' ServiceName', 'shop')] }),
      { source: 'l', where: '(ServiceName:"cart" OR ServiceName:"shop")', lang: 'lucene' },
    ],
    [
      'an expression that only SQL can say',
      search({ filters: [filter('lower(ServiceName)', '{{ServiceName}}')] }),
      { source: 'l', where: "toString(lower(ServiceName)) IN ('cart')", lang: 'sql' },
    ],
    [
      'the source that the row names',
      search({ target: { mode: 'template', template: ' {{name}}' } }),
      { source: 'l', where: '', lang: 'lucene' },
    ],
  ])('lead to %s', (_title, onClick, expected) => {
    expect(rowLink(onClick, row, targets)).toEqual({ kind: 'search', search: expected });
  });

  it('choose the filters of a dashboard, and narrow it by what it has no filter for', () => {
    const onClick = dashboard({
      target: { mode: 'template', template: 'Service {{ServiceName}}' },
      filters: [filter('ServiceName', 'a,b'), filter('Route', '{{route}}')],
    });
    expect(rowLink(onClick, row, targets)).toEqual({
      ...{ kind: 'dashboard', dashboardId: 'd' },
      search: { 'filter-f': 'a%2Cb', where: 'Route:"/pay \\"now\\""', lang: 'lucene' },
    });
    expect(rowLink(dashboard(), row, targets)).toEqual({ kind: 'dashboard', dashboardId: 'd', search: {} });
  });

  it.each([
    [search({ target: { mode: 'id', id: 'gone' } }), 'The source that this leads to does not exist.'],
    [search({ target: { mode: 'id', id: 'm' } }), 'Only sources of logs and traces can be searched.'],
    [search({ target: { mode: 'template', template: 'Twice' } }), 'There are several sources “Twice”.'],
    [dashboard({ target: { mode: 'template', template: '{{nothing}}' } }), 'There is no dashboard “”.'],
    [search({ whereTemplate: '{{other}}' }), 'The row has no column “other”.'],
    [search({ whereTemplate: 'a:b', filters: [filter('lower(a)', 'x')] }), 'The filter by lower(a) needs SQL'],
    [search({ whereTemplate: '{{#if a}}' }), 'can’t read'],
    [{ type: 'external' as const, urlTemplate: '{{ServiceName}}' }, 'The row makes no address'],
  ])('lead nowhere, and say why: %j', (onClick, reason) => {
    expect(rowLink(onClick, row, targets)).toEqual({ kind: 'none', reason: expect.stringContaining(reason) });
  });
});
