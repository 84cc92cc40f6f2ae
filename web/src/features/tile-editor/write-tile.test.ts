import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aggregateFunctions } from '../../../../src/contract/series.ts';
import { type Tile, TileSchema } from '../../../../src/contract/tile.ts';
import { draftOf, emptyItem, formulasOf, isRatio, type TileDraft } from './tile-draft.ts';
import { tileOf } from './write-tile.ts';

const isTile = new Ajv({ strict: false, discriminator: true }).compile(TileSchema);
const place = { id: 't1', name: 'Errors', x: 0, y: 0, w: 8, h: 6 };
const sourceId = '507f1f77bcf86cd799439011';
const roundTrip = (tile: Tile) => tileOf(draftOf(tile), tile, false);

const text = fc.constantFrom('a:b', 'Duration', "Map['x, y']", 'f(a, b)', 'ServiceName');
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const aggFn = fc.constantFrom(...aggregateFunctions);
const whereLanguage = fc.constantFrom('lucene' as const, 'sql' as const);
const numberFormat = fc.constantFrom({ output: 'byte' }, { output: 'percent', mantissa: 1 });
const metricDataType = fc.constantFrom('gauge', 'sum', 'histogram');
const unknown = { somethingNew: maybe(fc.constant({ kept: true })) };
const source = fc.constantFrom(sourceId, '507f1f77bcf86cd799439012');
const where = fc.constantFrom('', 'a:b');

/** Absent keys are really absent. */
const record = (fields: Record<string, fc.Arbitrary<unknown>>) =>
  fc.record(fields).map((value) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>);

const aggregate = { field: maybe(text), level: maybe(fc.constantFrom(0.5, 0.75, 0.99)), alias: maybe(text) };
const metric = { metricName: maybe(text), metricDataType: maybe(metricDataType) };
const query = { sourceId: source, aggFn, where, whereLanguage: maybe(whereLanguage), ...aggregate, ...metric };
const groupBy = fc.array(text, { maxLength: 3 });
const seriesOfType: Record<string, fc.Arbitrary<Record<string, unknown>>> = {
  time: record({
    ...{ ...query, groupBy, numberFormat: maybe(numberFormat), ...unknown },
    type: fc.constantFrom(undefined, 'time'),
    displayType: fc.constantFrom(undefined, 'line', 'stacked_bar'),
  }),
  histogram: record({ ...query, groupBy, type: fc.constant('histogram') }),
  table: record({ ...query, groupBy, type: fc.constant('table'), sortOrder: maybe(fc.constant('asc')), ...unknown }),
  number: record({ ...query, groupBy: maybe(groupBy), type: fc.constant('number'), numberFormat: maybe(numberFormat) }),
  search: record({ sourceId: source, where, type: fc.constant('search'), fields: maybe(groupBy), ...unknown }),
  markdown: record({ type: fc.constant('markdown'), content: maybe(fc.constant('# Hi')), ...unknown }),
};

const name = maybe(fc.constantFrom('', 'Errors'));
const asTile = (fields: object) => JSON.parse(JSON.stringify({ ...place, ...fields })) as Tile;

const seriesTile = fc
  .constantFrom(...Object.values(seriesOfType))
  .chain((series) =>
    fc.record({ name, asRatio: maybe(fc.boolean()), series: fc.array(series, { minLength: 1, maxLength: 4 }) }),
  )
  .map(asTile);

const select = record({
  ...{ aggFn, where: maybe(where), whereLanguage: maybe(whereLanguage), valueExpression: maybe(text), ...unknown },
  ...{ alias: maybe(text), level: maybe(fc.constant(0.75)), numberFormat: maybe(numberFormat) },
  ...{ metricName: maybe(text), metricType: maybe(metricDataType), periodAggFn: maybe(fc.constant('delta')) },
});
const formulas = maybe(
  fc.array(record({ expression: fc.constant('A * 2'), alias: maybe(text), numberFormat: maybe(numberFormat) }), {
    maxLength: 2,
  }),
);
const common = { sourceId: source, numberFormat: maybe(numberFormat), ...unknown };
const many = fc.array(select, { minLength: 1, maxLength: 3 });
const grouped = { groupBy: maybe(fc.constantFrom('a', "a, Map['x, y']")), asRatio: maybe(fc.boolean()) };
const time = { fillNulls: maybe(fc.boolean()), seriesLimit: maybe(fc.constant(5)) };
const ordered = { orderBy: maybe(text), having: maybe(text) };
const configs = [
  record({
    displayType: fc.constantFrom('line', 'stacked_bar'),
    ...common,
    select: many,
    ...grouped,
    ...time,
    formulas,
  }),
  record({ displayType: fc.constant('table'), ...common, select: many, ...grouped, ...ordered, formulas }),
  record({
    displayType: fc.constant('number'),
    ...common,
    select: many,
    formulas,
    color: maybe(fc.constant('chart-red')),
  }),
  record({ displayType: fc.constantFrom('pie', 'bar'), ...common, select: fc.tuple(select), groupBy: maybe(text) }),
  record({ displayType: fc.constant('search'), sourceId: source, select: text, where: maybe(where), ...unknown }),
  record({ displayType: fc.constant('markdown'), markdown: maybe(fc.constant('# Hi')), ...unknown }),
  record({
    displayType: fc.constant('heatmap'),
    sourceId: source,
    select: fc.tuple(
      record({
        ...{ valueExpression: text, countExpression: maybe(text), ...unknown },
        heatmapScaleType: maybe(fc.constantFrom('log', 'linear')),
      }),
    ),
    ...{ where: maybe(where), whereLanguage: maybe(whereLanguage), numberFormat: maybe(numberFormat), ...unknown },
  }),
  record({
    ...{ displayType: fc.constant('event_patterns'), sourceId: source, select: maybe(text), ...unknown },
    ...{ where: maybe(where), whereLanguage: maybe(whereLanguage) },
  }),
  record({
    ...{ displayType: fc.constantFrom('line', 'table'), configType: fc.constant('sql'), connectionId: source },
    sqlTemplate: fc.constant('SELECT 1'),
  }),
];
const configTile = fc.record({ name, config: fc.oneof(...configs) }).map(asTile);

const eventDisplays = ['heatmap', 'event_patterns'] as const;
const shownDisplays = [
  'line',
  'stacked_bar',
  'table',
  'number',
  'search',
  'markdown',
  'pie',
  'bar',
  ...eventDisplays,
] as const;
const itemEdit = fc.record(
  { aggFn, field: text, where, whereLanguage, alias: text, level: fc.constantFrom(0.5, 0.9) },
  { requiredKeys: [] },
);
type Edit = (draft: TileDraft) => TileDraft;
const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc
    .record(
      {
        displayType: fc.constantFrom(...shownDisplays),
        ...{
          groupBy: fc.constantFrom('', 'c, f(d, e)'),
          formulas: fc.array(
            fc.constantFrom('', ' ', 'A / 2').map((expression) => ({ expression })),
            { maxLength: 2 },
          ),
        },
        ...{ amount: fc.constantFrom('', 'sum(Duration)'), scale: fc.constantFrom(undefined, 'log' as const) },
        ...{ asRatio: fc.boolean(), columns: text, markdown: fc.constant('new'), name: fc.constant('New') },
      },
      { requiredKeys: [] },
    )
    .map(
      (patch): Edit =>
        (draft) => ({ ...draft, ...patch }),
    ),
  itemEdit.map(
    (patch): Edit =>
      (draft) => ({ ...draft, items: draft.items.map((one) => ({ ...one, ...patch })) }),
  ),
  itemEdit.map(
    (patch): Edit =>
      (draft) => ({ ...draft, items: [...draft.items, { ...emptyItem, ...patch }] }),
  ),
  fc.constant<Edit>((draft) => ({ ...draft, items: draft.items.length > 1 ? draft.items.slice(1) : draft.items })),
);
const edits = fc.array(edit, { maxLength: 4 });
const edited = (tile: Tile, all: readonly Edit[]): TileDraft => {
  const draft = all.reduce((now, change) => change(now), draftOf(tile));
  return { ...draft, sourceId: draft.sourceId || sourceId };
};

const sayableAsSeries = ['line', 'stacked_bar', 'table', 'number', 'search', 'markdown'];
const severalDisplays = ['line', 'stacked_bar', 'table', 'number'];

/** What of a draft the form shows for its display, and how it reads it back. */
function seen(draft: TileDraft) {
  const { displayType } = draft;
  if (displayType === 'markdown') return { name: draft.name, displayType, markdown: draft.markdown };
  const several = severalDisplays.includes(displayType);
  const items = several ? draft.items : draft.items.slice(0, 1);
  const filters = items.map((item) => [item.where, item.whereLanguage]);
  if (displayType === 'search' || displayType === 'event_patterns') {
    return { name: draft.name, displayType, columns: draft.columns, filters };
  }
  if (displayType === 'heatmap') {
    const { name, amount, scale, numberFormat } = draft;
    return { name, displayType, filters, number: items[0]?.field, amount, scale, numberFormat };
  }
  return {
    ...{
      name: draft.name,
      displayType,
      formulas: formulasOf(draft).map(({ expression }) => expression),
      asRatio: isRatio(draft),
    },
    groupBy: displayType === 'number' ? '' : draft.groupBy,
    items: items.map(({ origin: _origin, level, field, ...item }) => ({
      ...item,
      level: item.aggFn === 'quantile' ? level : undefined,
      field: item.aggFn === 'count' || item.metricName !== '' ? '' : field,
      metricType: item.metricName === '' ? '' : item.metricType,
    })),
  };
}

describe('a tile that is opened in its form and saved', () => {
  it.each([
    ['series', seriesTile],
    ['config', configTile],
  ])('unchanged stays as it was, in %s form, with all that the form does not know', (_form, tiles) => {
    fc.assert(
      fc.property(tiles, (tile) => {
        expect(roundTrip(tile)).toEqual(tile);
      }),
    );
  });

  it('decisions D5: in series form it keeps that form as long as what it became can be said in it', () => {
    fc.assert(
      fc.property(seriesTile, edits, (tile, changes) => {
        const draft = edited(tile, changes);
        const written = tileOf(draft, tile, true);
        const hasFormula = severalDisplays.includes(draft.displayType) && formulasOf(draft).length > 0;
        const expected = sayableAsSeries.includes(draft.displayType) && !hasFormula ? 'series' : 'config';
        expect(['series', 'config'].filter((form) => form in written)).toEqual([expected]);
        if (expected === 'config') expect(written).not.toHaveProperty('asRatio');
      }),
    );
  });

  it.each([
    ['series', seriesTile],
    ['config', configTile.filter(({ config }) => config?.configType !== 'sql')],
  ])('in %s form it is what the form showed, and valid', (_form, tiles) => {
    fc.assert(
      fc.property(tiles, edits, (tile, changes) => {
        const draft = edited(tile, changes);
        fc.pre(shownDisplays.includes(draft.displayType as 'line'));
        // The form says so before it is applied.
        fc.pre(draft.displayType !== 'heatmap' || draft.items[0]?.field !== '');
        const written = tileOf(draft, tile, true);
        // Not every ratio can be said: a number in config form is one only by its formula.
        const held = written.config?.displayType === 'number' ? { ...draft, asRatio: false } : draft;
        expect(seen(draftOf(written))).toEqual(seen(held));
        expect(isTile(written), JSON.stringify(isTile.errors)).toBe(true);
      }),
    );
  });

  it('decisions C7: a quantile without level is read as the median', () => {
    const tile = asTile({ series: [{ sourceId, aggFn: 'quantile', field: 'Duration', where: '', groupBy: [] }] });
    expect(draftOf(tile).items[0]?.level).toBe(0.5);
  });

  it('a heatmap that becomes a line, and a line that becomes a heatmap, take nothing along but what both show', () => {
    const heatmap = {
      displayType: 'heatmap',
      sourceId,
      select: [{ valueExpression: 'Duration', odd: 1 }],
      where: 'a:b',
    };
    const line = {
      displayType: 'line',
      sourceId,
      select: [{ aggFn: 'max', valueExpression: 'n', where: 'a:b', odd: 1 }],
    };
    const as = (config: object, displayType: TileDraft['displayType']) => {
      const tile = asTile({ config });
      return tileOf({ ...draftOf(tile), displayType }, tile, false).config;
    };
    const filter = { where: 'a:b', whereLanguage: 'lucene' };
    expect(as(heatmap, 'line')).toEqual({
      ...{ displayType: 'line', sourceId },
      select: [{ aggFn: 'count', valueExpression: '', ...filter }],
    });
    expect(as(line, 'heatmap')).toEqual({
      ...{ displayType: 'heatmap', sourceId },
      ...{ select: [{ valueExpression: 'n' }], ...filter },
    });
  });

  it('another display type drops what it cannot have: a pie has one value, a number no groups', () => {
    const two = [{ aggFn: 'count' }, { aggFn: 'sum', valueExpression: 'Duration' }];
    const tile = asTile({ config: { displayType: 'line', sourceId, select: two, groupBy: 'g', seriesLimit: 3 } });
    const as = (displayType: TileDraft['displayType']) => tileOf({ ...draftOf(tile), displayType }, tile, false).config;
    expect(as('pie')).toEqual({ displayType: 'pie', sourceId, select: [{ aggFn: 'count' }], groupBy: 'g' });
    expect(as('number')).not.toHaveProperty('groupBy');
    expect(as('stacked_bar')).toMatchObject({ seriesLimit: 3, groupBy: 'g' });
  });

  it('a number without groups beside one with groups has them too as a line, which needs them', () => {
    const one = { sourceId, aggFn: 'avg', field: 'Duration', where: '', type: 'number' };
    const tile = asTile({ series: [{ ...one, groupBy: ['a:b'] }, one] });
    expect(roundTrip(tile)).toEqual(tile);
    const { series } = tileOf({ ...draftOf(tile), displayType: 'line' }, tile, false);
    expect(series).toMatchObject([{ groupBy: ['a:b'] }, { groupBy: ['a:b'] }]);
  });

  it('a series that is removed takes nothing of the others with it', () => {
    const series = ['a', 'b', 'c'].map((alias) => ({
      sourceId,
      aggFn: 'count',
      where: alias,
      groupBy: [],
      note: alias,
    }));
    const tile = asTile({ series });
    const draft = draftOf(tile);
    const written = tileOf({ ...draft, items: draft.items.filter((_, index) => index !== 1) }, tile, false);
    expect(written.series).toEqual([series[0], series[2]]);
  });

  it('metrics are left behind with their source', () => {
    const metricSeries = { sourceId, aggFn: 'sum', where: '', groupBy: [], metricName: 'm', metricDataType: 'sum' };
    const tile = asTile({ series: [metricSeries] });
    const draft = { ...draftOf(tile), sourceId: '507f1f77bcf86cd799439012' };
    expect(tileOf(draft, tile, false).series?.[0]).not.toHaveProperty('metricName');
    expect(tileOf(draft, tile, true).series?.[0]).toMatchObject({ metricName: 'm', metricDataType: 'sum' });
  });
});
