import { expect, it } from 'vitest';
import type { Tile } from '../../../../src/contract/tile.ts';
import { draftOf, tileOf } from './tile-draft.ts';

const place = { id: 't1', name: 'Errors', x: 0, y: 0, w: 8, h: 6 };
const sourceId = '507f1f77bcf86cd799439011';
const roundTrip = (tile: Tile) => JSON.parse(JSON.stringify(tileOf(draftOf(tile), tile, false))) as Tile;

const select = [{ aggFn: 'count', valueExpression: '', where: 'a:b', whereLanguage: 'lucene' }] as const;

it('a config tile that is opened and saved unchanged stays as it was, with what the form does not know', () => {
  const tile: Tile = {
    ...place,
    config: {
      displayType: 'line',
      sourceId,
      select: [...select],
      groupBy: 'ServiceName',
      fillNulls: true,
      seriesLimit: 5,
    },
  };
  expect(roundTrip(tile)).toEqual(tile);
});

it('a series tile is read whole and written as config', () => {
  const series = [
    { sourceId, aggFn: 'quantile', field: 'Duration', level: 0.99, where: '', groupBy: ['a', 'b'] },
  ] as const;
  const { config } = roundTrip({ ...place, series: series.map((one) => ({ ...one, groupBy: [...one.groupBy] })) });
  expect(config).toMatchObject({
    displayType: 'line',
    groupBy: 'a, b',
    select: [{ aggFn: 'quantile', valueExpression: 'Duration', level: 0.99 }],
  });
});

it('a search and a markdown tile keep their columns and text', () => {
  const search: Tile = {
    ...place,
    config: { displayType: 'search', sourceId, select: 'Timestamp, Body', where: 'x', whereLanguage: 'sql' },
  };
  expect(roundTrip(search)).toEqual(search);
  const markdown: Tile = { ...place, config: { displayType: 'markdown', markdown: '# Hi' } };
  expect(roundTrip(markdown)).toEqual(markdown);
});

it('another display type drops what it cannot have: a pie has one value, a number no groups', () => {
  const draft = draftOf({
    ...place,
    config: { displayType: 'line', sourceId, select: [...select, ...select], groupBy: 'g' },
  });
  const pie = tileOf({ ...draft, displayType: 'pie' }, place, false).config;
  expect(pie).toMatchObject({ displayType: 'pie', groupBy: 'g' });
  expect(pie && 'select' in pie ? pie.select : []).toHaveLength(1);
  expect(tileOf({ ...draft, displayType: 'number' }, place, false).config).not.toHaveProperty('groupBy');
});
