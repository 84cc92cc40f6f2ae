import fc from 'fast-check';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { MarkdownText } from './MarkdownText.tsx';

function htmlOf(text: string): string {
  const html = renderToStaticMarkup(createElement(MarkdownText, { text }));
  // The server's renderer has pictures loaded early.
  return html.replace(/^(?:<link[^>]*>)*<div class="markdown">(.*)<\/div>$/s, '$1');
}

describe('what Markdown is shown as', () => {
  it.each([
    [
      'a paragraph',
      'one *two* **three** ~~four~~ `five`',
      '<p>one <em>two</em> <strong>three</strong> <del>four</del> <code>five</code></p>',
    ],
    ['headings', '# A\n\n###### F', '<h1>A</h1><h6>F</h6>'],
    ['a heading below its line', 'A\n===', '<h1>A</h1>'],
    ['a list', '- one\n- two\n  - three', '<ul><li>one</li><li>two<ul><li>three</li></ul></li></ul>'],
    ['a list with space', '- one\n\n- two', '<ul><li><p>one</p></li><li><p>two</p></li></ul>'],
    ['a list that counts', '3. one\n4. two', '<ol start="3"><li>one</li><li>two</li></ol>'],
    ['a quote', '> one\n> two', '<blockquote><p>one\ntwo</p></blockquote>'],
    ['code', '```sql\nSELECT &amp; < 1\n```', '<pre><code>SELECT &amp;amp; &lt; 1</code></pre>'],
    ['a line', 'one\n\n---\n\ntwo', '<p>one</p><hr/><p>two</p>'],
    ['a break', 'one  \ntwo', '<p>one<br/>two</p>'],
    [
      'a table',
      '|a|b|\n|-|-:|\n|*1*|2|',
      '<table><thead><tr><th>a</th><th style="text-align:right">b</th></tr></thead><tbody><tr><td><em>1</em></td><td style="text-align:right">2</td></tr></tbody></table>',
    ],
    ['tasks', '- [x] done', '<ul><li><input type="checkbox" disabled="" readOnly="" checked=""/>done</li></ul>'],
    [
      'a link',
      '[a *b*](https://example.com/?x=1&amp;y=2 "T &lt;")',
      '<p><a href="https://example.com/?x=1&amp;y=2" title="T &lt;">a <em>b</em></a></p>',
    ],
    ['a link by its name', '[a][b]\n\n[b]: /dashboards/1', '<p><a href="/dashboards/1">a</a></p>'],
    [
      'an address',
      'see https://example.com/a_b_c.',
      '<p>see <a href="https://example.com/a_b_c">https://example.com/a_b_c</a>.</p>',
    ],
    ['a picture', '![alt](/a.png "T")', '<p><img src="/a.png" alt="alt" title="T"/></p>'],
    ['characters by name', '&copy; &#169; &#xA9; &amp;amp; &nothing; \\*', '<p>© © © &amp;amp; &amp;nothing; *</p>'],
    ['a character that there is none of', '&#0; &#xD800; &#1114112;', '<p>� � �</p>'],
  ])('%s', (_, text, html) => {
    expect(htmlOf(text)).toBe(html);
  });

  it.each([
    ['<script>alert(1)</script>'],
    ['a <img src=x onerror=alert(1)> b'],
    ['<div onclick="alert(1)">\n\n*x*\n\n</div>'],
    ['<!-- a comment -->'],
    ['<a href="javascript:alert(1)">x</a>'],
    ['<svg/onload=alert(1)>'],
  ])('HTML is text: %s', (text) => {
    const html = htmlOf(text);
    expect(html.replace(/<\/?(?:p|em)>/g, '')).not.toContain('<');
    expect(html).toContain('&lt;');
  });

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    '&#106;avascript:alert(1)',
    '&#x6A;avascript&colon;alert(1)',
    'java&Tab;script:alert(1)',
    'java&NewLine;script:alert(1)',
    '&#1;javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'data:image/svg+xml;base64,PHN2Zy8+',
    'vbscript:msgbox(1)',
    'file:///etc/passwd',
    'blob:https://example.com/1',
    'http://[',
  ])('an address that leads elsewhere is left out: %s', (url) => {
    const texts = [
      `[a](<${url}>)`,
      `![a](<${url}>)`,
      `[a]\n\n[a]: <${url}>`,
      `<${url}>`,
      `[a](${url})`,
      `![a](${url})`,
    ];
    for (const text of texts) expect(htmlOf(text), text).not.toMatch(/ (?:href|src)=/);
  });

  it('nothing else comes out of any text', () => {
    const pieces = [
      '<',
      '>',
      '[',
      ']',
      '(',
      ')',
      '!',
      '`',
      '*',
      '_',
      '~',
      '|',
      '-',
      '#',
      '&',
      ';',
      ':',
      '"',
      "'",
      '\\',
      '\n',
      '\t',
      ' ',
    ];
    const words = [
      'javascript:',
      'data:',
      'https://e.com',
      '&#106;',
      '&colon;',
      '<img src=x onerror=y>',
      '[x]: ',
      '|-|',
      '1. ',
      'a',
    ];
    const text = fc.array(fc.constantFrom(...pieces, ...words), { maxLength: 40 }).map((parts) => parts.join(''));
    const tag =
      /<\/?(?:p|h[1-6]|ul|ol(?: start="\d+")?|li|blockquote|pre|code|a|hr\/|br\/|strong|em|del|table|thead|tbody|tr|(?:th|td)(?: style="text-align:\w+")?|input type="checkbox" disabled="" readOnly=""(?: checked="")?\/|a href="([^"]*)"(?: title="[^"]*")?|img src="([^"]*)" alt="[^"]*"(?: title="[^"]*")?\/)>/g;
    fc.assert(
      fc.property(text, (written) => {
        const html = htmlOf(written);
        expect(html.replace(tag, '')).not.toMatch(/[<>]/);
        for (const [, href, src] of html.matchAll(tag)) {
          const url = (href ?? src ?? '').replaceAll('&amp;', '&').replaceAll('&#x27;', "'").replaceAll('&quot;', '"');
          expect(['http:', 'https:', 'mailto:']).toContain(new URL(url, 'https://page.invalid').protocol);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('what is nested too deeply is shown as it was written', () => {
    const text = `${'>'.repeat(20_000)} a`;
    expect(htmlOf(text)).toBe(`<pre>${text.replaceAll('>', '&gt;')}</pre>`);
  });
});
