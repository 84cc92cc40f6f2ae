import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { onBothStores } from '../../test/support/metadata-stores.ts';
import { type ValuesRow, valuesTable } from './values-table.ts';

const columns = { name: 'text', size: 'bigint', note: 'text' } as const;
const text = `"'\\u0000 \n\u{1F514}`;

onBothStores((underTest) => {
  it.each<[string, readonly ValuesRow[]]>([
    ['none', []],
    ['one', [['a', 1, text]]],
    [
      'some that differ in nothing',
      [
        ['a', 1, text],
        ['a', 1, text],
      ],
    ],
    [
      'some that differ in some columns',
      [
        ['a', 1_767_225_600_000, text],
        ['a', 2, text],
        ['a', 1_767_225_600_000, '7'],
      ],
    ],
    [
      'some that differ in all',
      [
        ['a', 1, text],
        ['7', 0, 'b'],
      ],
    ],
  ])('rows come out of a statement as they went in: %s', async (_, values) => {
    const { raw } = underTest();
    const table = valuesTable(raw.dialect, columns, values);
    const { rows } = await sql<{ name: string; size: number; note: string }>`
      select name, size, note from ${table} as input`.execute(raw.reads);
    expect(rows.map(({ name, size, note }) => [name, size, note])).toEqual(values);
  });
});
