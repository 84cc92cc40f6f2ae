import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readTokens } from '../../query/sql/lexer.ts';
import { attributeField, columnFields } from './list-fields.ts';

const anyName = fc.string({ unit: fc.constantFrom(...'ab_1 .\\`\'"\n%'), minLength: 1 });
const tableWith = (name: string, type: string) => ({ database: 'd', table: 't', columns: new Map([[name, type]]) });

it('a column of any name is written so that a condition reads that name', () => {
  fc.assert(
    fc.property(anyName, (name) => {
      const [field] = columnFields(tableWith(name, 'String'));
      expect(readTokens(field?.sql ?? '')[0]).toMatchObject({ value: name, end: field?.sql.length });
    }),
  );
});

it('an attribute of any key is written so that a condition reads that key', () => {
  fc.assert(
    fc.property(anyName, (key) => {
      const { sql } = attributeField(tableWith('M', 'Map(String, String)'), 'M', key);
      expect(readTokens(sql).map(({ value }) => value)).toEqual(['M', '[', key, ']', '']);
    }),
  );
});
