import { splitExpressions } from '../../../contract/split-expressions.ts';
import { compareGroups } from '../answer/chart-table.ts';
import { QueryProblem } from '../request/query-problem.ts';
import { findCell, type RowNames, type TileRow } from './tile-rows.ts';

type Compare = (a: TileRow, b: TileRow) => number;

/**
 * The rows in the order of `name [ASC|DESC], …`; without one by the first value, largest first. Ties are ordered by
 * group, missing values last. Throws `query_invalid` for a name that no column has.
 */
export function orderRows<R extends TileRow>(rows: readonly R[], orderBy: string | undefined, names: RowNames): R[] {
  const wanted =
    orderBy === undefined ? [byFirstValue] : splitExpressions(orderBy).map((part) => readOrder(part, names));
  const compares = [...wanted, byGroup];
  return rows.toSorted((a, b) => {
    for (const compare of compares) {
      const order = compare(a, b);
      if (order !== 0) return order;
    }
    return 0;
  });
}

const byGroup: Compare = (a, b) => compareGroups(a.group, b.group);
const byFirstValue: Compare = (a, b) => compareCells(a.values[0] ?? null, b.values[0] ?? null, true);

function readOrder(part: string, names: RowNames): Compare {
  const direction = /\s(asc|desc)$/i.exec(part);
  const text = direction ? part.slice(0, direction.index).trimEnd() : part;
  const cell = findCell(text, names);
  if (!cell) {
    const known = [...names.groups, ...names.values].map((name) => JSON.stringify(name)).join(', ');
    throw new QueryProblem('config.orderBy', `the tile has no column ${JSON.stringify(text)}; it has ${known}.`);
  }
  const descending = direction?.[1]?.toLowerCase() === 'desc';
  return (a, b) => compareCells(cell(a), cell(b), descending);
}

function compareCells(a: string | number | null, b: string | number | null, descending: boolean): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  return a < b === descending ? 1 : -1;
}
