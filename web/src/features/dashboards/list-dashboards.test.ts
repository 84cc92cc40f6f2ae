import { describe, expect, it } from 'vitest';
import type { Dashboard } from '../../../../src/contract/dashboard.ts';
import { copyOf, dashboardsFound, favouritesFirst, sortedBy } from './list-dashboards.ts';

const tile = { id: 't', x: 0, y: 0, w: 8, h: 4 };
const board = (name: string, tags: string[], tiles = 0): Dashboard => ({
  ...{ id: name, name, tags },
  tiles: Array.from({ length: tiles }, () => tile),
});
const boards = [board('Shop 10', ['live'], 1), board('Shop 9', ['live', 'old'], 3), board('Hosts', ['old'], 2)];
const names = (found: readonly Dashboard[]) => found.map(({ name }) => name);

describe('the list of dashboards', () => {
  it.each([
    [{ text: '', tag: undefined }, ['Shop 10', 'Shop 9', 'Hosts']],
    [{ text: ' SHOP', tag: undefined }, ['Shop 10', 'Shop 9']],
    [{ text: 'old', tag: undefined }, ['Shop 9', 'Hosts']],
    [{ text: '', tag: 'old' }, ['Shop 9', 'Hosts']],
    [{ text: 'shop', tag: 'old' }, ['Shop 9']],
    [{ text: 'x', tag: 'old' }, []],
    [{ text: '', tag: 'ol' }, []],
  ])('searched for %j', (wanted, expected) => {
    expect(names(dashboardsFound(boards, wanted))).toEqual(expected);
  });

  it.each([
    [undefined, ['Shop 10', 'Shop 9', 'Hosts']],
    ['newest', ['Hosts', 'Shop 9', 'Shop 10']],
    ['name', ['Hosts', 'Shop 9', 'Shop 10']],
    ['tiles', ['Shop 9', 'Hosts', 'Shop 10']],
    ['of an old link', ['Shop 10', 'Shop 9', 'Hosts']],
  ])('sorted by %s', (sort, expected) => {
    expect(names(sortedBy(sort, boards))).toEqual(expected);
  });

  it('favourites come first, otherwise in the same order', () => {
    const listed = ['a', 'b', 'c', 'd'].map((id) => ({ id }));
    const order = favouritesFirst(new Set(['d', 'b', 'gone']), listed).map(({ id }) => id);
    expect(order).toEqual(['b', 'd', 'a', 'c']);
  });

  it('a copy has everything but the ids', () => {
    const filter = { id: 'f', type: 'QUERY_EXPRESSION', name: 'S', expression: 'a', sourceId: 's' } as const;
    const containers = [{ id: 'c', title: 'C', collapsed: true }];
    const { id: _tile, ...bare } = { ...tile, containerId: 'c' };
    const { id: _filter, ...bareFilter } = filter;
    const tiles = [{ ...tile, containerId: 'c' }];
    expect(copyOf({ ...board('Shop', ['live']), tiles, filters: [filter], containers })).toEqual({
      ...{ name: 'Shop (copy)', tags: ['live'], containers },
      ...{ tiles: [bare], filters: [bareFilter] },
    });
  });
});
