import { AppError } from '../../../contract/errors.ts';
import type { Problem } from '../../../contract/problem.ts';
import type { Tile } from '../../../contract/tile.ts';
import type { TileVariable } from '../../../contract/variables.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { takesNames } from '../../../query/compile-raw-sql.ts';
import { QueryProblem } from '../request/query-problem.ts';
import { sqlTemplatePath, sqlTileOf } from '../request/sql-tile.ts';
import type { SqlReader } from './sql-reader.ts';
import { sqlVariables } from './write-sql.ts';

const hourMs = 3_600_000;
const minuteMs = 60_000;

/** What the database objects to in a statement before it is stored. */
export class SqlStatementCheck {
  readonly #reader: Pick<SqlReader, 'check'>;
  readonly #clock: Clock;

  constructor(reader: Pick<SqlReader, 'check'>, clock: Clock) {
    this.#reader = reader;
    this.#clock = clock;
  }

  /** With a path from the tile; `undefined` also when the database is away. */
  async problemOf(tenantId: string, tile: Tile, variables: readonly TileVariable[]): Promise<Problem | undefined> {
    const sql = sqlTileOf(tile);
    // Without the names that it takes from a variable, it is no statement yet.
    if (!sql || takesNames(sql.template)) return undefined;
    const endMs = Math.floor(this.#clock.nowMs() / minuteMs) * minuteMs;
    const range = { startMs: endMs - hourMs, endMs };
    try {
      await this.#reader.check(tenantId, sql, {
        range,
        intervalMs: minuteMs,
        originMs: 0,
        conditions: [],
        variables: sqlVariables(variables),
      });
      return undefined;
    } catch (error) {
      return problemIn(error);
    }
  }
}

function problemIn(error: unknown): Problem | undefined {
  if (error instanceof QueryProblem) {
    const { path, reason, position } = error;
    return { path, message: position === undefined ? reason : `${reason} (at position ${position})` };
  }
  if (!(error instanceof AppError)) throw error;
  const isAboutStatement = error.code === 'query_invalid' || error.code === 'query_failed';
  return isAboutStatement ? { path: sqlTemplatePath, message: error.publicText } : undefined;
}
