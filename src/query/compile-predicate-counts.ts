import type { ChartQuery, Guards } from './chart-query.ts';
import { type ChartPlan, cheapestPlan } from './compile-chart.ts';
import type { CompiledQuery } from './compiled-query.ts';
import { finishPlan } from './finish-plan.ts';
import { type OutputColumn, type Select, sameColumn } from './plan/select.ts';
import { alias, call, type SqlExpr } from './plan/sql-expr.ts';
import { Atoms } from './predicate-counting/atoms.ts';
import { countedRowsOf } from './predicate-counting/counted-rows.ts';
import { TruthTable } from './predicate-counting/truth-table.ts';
import type { EventSourceSchema } from './source-schema.ts';

/** The engine plans and evaluates each atom separately, so the cost of a statement grows with its atoms. */
const atomsMax = 256;
/** More kinds of rows than this are counted faster by the engine. */
const kindsMax = 50_000;

/** By series, the conditions that the rows it counts meet, all of them. */
export type CountedRows = readonly (readonly SqlExpr[])[];

/** How many rows of each bucket and group meet each of many lists of conditions. */
export interface CountedCells {
  /** Start of the bucket, then the groups: a cell each, sorted as a chart's. */
  keys: readonly (readonly unknown[])[];
  cells: number;
  /** By cell, the number of rows that meet all conditions. */
  countWhere(conditions: readonly SqlExpr[]): number[];
}

/**
 * Counts rows for many charts that share range, buckets and groups. The engine counts the kinds of rows, a kind being
 * those that meet the same atoms of all conditions; what each condition makes of a kind is decided here, so that a
 * thousand conditions cost the statement no more than the atoms that they are made of.
 */
export class PredicateCounts {
  readonly #plan: Select;
  readonly #atoms = new Atoms();
  /** Conditions that apply to all rows, such as the filter of the source. */
  #common: readonly SqlExpr[] | undefined;

  /** `plan`: of any of the charts, for its buckets, groups and table. */
  constructor({ events }: ChartPlan) {
    this.#plan = events;
  }

  /**
   * Adds lists of conditions; false if the statement has no room for their atoms. Lists whose atoms it already has
   * always fit.
   */
  tryAdd(lists: CountedRows): boolean {
    if (!this.#atoms.tryAdd(lists.flat(), atomsMax)) return false;
    for (const list of lists) this.#narrowCommon(list);
    return true;
  }

  #narrowCommon(list: readonly SqlExpr[]): void {
    // Soon nothing is common to all, and keys of long conditions are long.
    if (this.#common?.length === 0) return;
    const keys = new Set(list.map((condition) => this.#atoms.keyOf(condition)));
    this.#common = (this.#common ?? list).filter((condition) => keys.has(this.#atoms.keyOf(condition)));
  }

  /** `query`: of any of the charts. Throws `QueryTextError` when the statement would be too long. */
  compile(query: ChartQuery, source: EventSourceSchema, guards: Guards): CompiledQuery {
    const keys = keysOf(this.#plan);
    const names = keys.map(({ as }) => alias(as));
    const kinds: Select = {
      columns: [...keys, { as: 'atoms', expr: call('array', ...this.#atoms.exprs) }, { as: 'n', expr: call('count') }],
      from: this.#plan.from,
      where: this.#common ?? [],
      groupBy: [...names, alias('atoms')],
    };
    const listed: Select = {
      columns: [
        ...keys.map(({ as }) => sameColumn(as)),
        { as: 'held', expr: atomsWhere(alias('holds')) },
        { as: 'unknown', expr: atomsWhere(call('isNull', alias('holds'))) },
        { as: 'n', expr: alias('n') },
      ],
      from: { kind: 'select', select: cheapestPlan(kinds, query, source) },
      orderBy: names.map((expr) => ({ expr })),
      limit: kindsMax + 1,
    };
    return finishPlan(listed, { ...guards, resultRowsMax: Math.min(guards.resultRowsMax, kindsMax) });
  }

  /** Takes the columns of the statement's result. */
  read(columns: readonly (readonly unknown[])[]): CountedCells {
    const keyCount = keysOf(this.#plan).length;
    const [held = [], unknown = [], counts = []] = columns.slice(keyCount);
    const { keys, cellOf } = cellsOf(columns.slice(0, keyCount), counts.length);
    const table = new TruthTable(this.#atoms, placesOf(held), placesOf(unknown));
    const cells = keys[0]?.length ?? 0;
    const countWhere = (conditions: readonly SqlExpr[]): number[] => {
      const found = Array<number>(cells).fill(0);
      table.eachRowWhere(conditions, (row) => {
        const cell = cellOf[row] ?? 0;
        found[cell] = (found[cell] ?? 0) + Number(counts[row]);
      });
      return found;
    };
    return { keys, cells, countWhere };
  }
}

/** The rows that each series of a planned chart counts; `undefined` when some series asks for more than their number. */
export function countedRows({ events }: ChartPlan): CountedRows | undefined {
  return countedRowsOf(events);
}

/** Bucket and groups. */
function keysOf({ columns }: Select): readonly OutputColumn[] {
  return columns.filter(({ as }) => as === 'ts' || /^g\d/.test(as));
}

function atomsWhere(holds: SqlExpr): SqlExpr {
  const places = call('arrayEnumerate', alias('atoms'));
  return call('arrayFilter', { kind: 'lambda', names: ['place', 'holds'], body: holds }, places, alias('atoms'));
}

/** Rows are sorted by their keys: a cell ends where a key changes. */
function cellsOf(columns: readonly (readonly unknown[])[], rows: number): { keys: unknown[][]; cellOf: number[] } {
  const keys: unknown[][] = columns.map(() => []);
  const cellOf: number[] = [];
  let cell = -1;
  for (let row = 0; row < rows; row++) {
    if (row === 0 || columns.some((values) => values[row] !== values[row - 1])) {
      cell += 1;
      columns.forEach((values, at) => {
        keys[at]?.push(values[row]);
      });
    }
    cellOf.push(cell);
  }
  return { keys, cellOf };
}

/** Numbers of atoms, as the statement gives them. */
function placesOf(column: readonly unknown[]): readonly (readonly number[])[] {
  return column.map((places) => (Array.isArray(places) ? places : []));
}
