// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are variables of dashboards
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseLucene } from '../query/lucene/parse-lucene.ts';
import { parseSqlCondition } from '../query/sql/parse-sql.ts';
import { substituteVariables, type VariableLanguage } from './substitute-variables.ts';

const variables = [
  { name: 'one', values: ['a"b'], expression: 'ServiceName' },
  { name: 'two', values: ["it's", 'c\\d'], expression: 'lower(ServiceName)' },
  { name: 'none', values: [], expression: 'ServiceName' },
  { name: 'names', values: ['ServiceName', 'http.status'] },
];
const textOf = (text: string, language: VariableLanguage) => substituteVariables(text, language, variables).text;

describe('variables in texts', () => {
  it.each<[VariableLanguage, string, string]>([
    ['lucene', 'ServiceName:$one', 'ServiceName:("a\\"b")'],
    ['lucene', 'ServiceName:"$one"', 'ServiceName:"a\\"b"'],
    ['lucene', 'ServiceName:${two} x', 'ServiceName:("it\'s" OR "c\\\\d") x'],
    ['lucene', 'a ServiceName:"$two" b', 'a (ServiceName:"it\'s" OR ServiceName:"c\\\\d") b'],
    ['lucene', '-ServiceName:"$two"', 'NOT (ServiceName:"it\'s" OR ServiceName:"c\\\\d")'],
    ['lucene', 'ServiceName:"$none" a', '() a'],
    ['lucene', '"$two"', '("it\'s" OR "c\\\\d")'],
    ['lucene', '"x $one y"', '"x a\\"b y"'],
    ['lucene', '$other $ ${other} \\$one', '$other $ ${other} \\$one'],
    ['sql', 'ServiceName IN ($two)', "ServiceName IN ('it\\'s', 'c\\\\d')"],
    ['sql', 'ServiceName = $one', "ServiceName = 'a\"b'"],
    ['sql', 'ServiceName IN ($none)', 'ServiceName IN (NULL)'],
    ['sql', "Body LIKE '%$one%'", "Body LIKE '%a\"b%'"],
    ['sql', "Body = 'a' AND `x$one` = 1", "Body = 'a' AND `xa\"b` = 1"],
    ['sql', '${names:csv}', 'ServiceName, http.status'],
    ['sql', '${two:csv}', "'it\\'s', 'c\\\\d'"],
    ['sql', '$__filter($one)', "(toString(ServiceName) IN ('a\"b'))"],
    ['sql', '$__filter(lower(Body), $two)', "(toString(lower(Body)) IN ('it\\'s', 'c\\\\d'))"],
    ['sql', '$__filter($none) AND $__conditionalAll(Body = $one, $none)', '(1 = 1) AND (1 = 1)'],
    ['sql', "$__conditionalAll(Body NOT IN (')', $one), $one)", "(Body NOT IN (')', 'a\"b'))"],
    ['sql', '$__filter($nothing)', '$__filter($nothing)'],
    ['markdown', '# $two', "# it\\'s, c\\\\d"],
    ['text', 'Of $two and "$one", $none', 'Of it\'s, c\\d and "a"b", any'],
  ])('%s: %s', (language, text, expected) => {
    expect(textOf(text, language)).toBe(expected);
  });

  it('no value leaves its place: the condition stays one comparison with that value', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0')),
        (value) => {
          const all = [{ name: 'v', values: [value] }];
          const sql = substituteVariables('Body = $v', 'sql', all).text;
          expect(parseSqlCondition(sql)).toMatchObject({ right: { text: value } });
          const lucene = substituteVariables('Body:"$v"', 'lucene', all).text;
          expect(JSON.stringify(parseLucene(lucene))).toContain(JSON.stringify(value));
        },
      ),
    );
  });

  it('each character knows where it was written', () => {
    const text = 'ServiceName:$two AND wrong:';
    const substituted = substituteVariables(text, 'lucene', variables);
    expect(substituted.originOf(substituted.text.indexOf('wrong'))).toBe(text.indexOf('wrong'));
    expect(substituted.originOf(substituted.text.indexOf('it'))).toBe(text.indexOf('$two'));
    expect(substituted.originOf(substituted.text.length)).toBe(text.length);
  });
});
