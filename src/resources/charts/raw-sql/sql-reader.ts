import type { Warning } from '../../../contract/warning.ts';
import { rawQuery, usesMacro } from '../../../query/compile-raw-sql.ts';
import { type RunOptions, TelemetryError } from '../../../telemetry/ports.ts';
import { settingsOfSource } from '../../sources/settings-of-source.ts';
import type { ChartRead } from '../answer/explain-reads.ts';
import { toQueryAppError } from '../reading/query-errors.ts';
import type { ScanLimits, ScanOptions } from '../reading/scan-runner.ts';
import { QueryProblem } from '../request/query-problem.ts';
import { type SqlTile, sqlTemplatePath } from '../request/sql-tile.ts';
import { type ArrangedColumns, arrangeColumns } from './arrange-columns.ts';
import { type CheckedStatements, objectionIn } from './checked-statements.ts';
import type { SqlPlaces } from './sql-places.ts';
import { type SqlFrame, toSqlProblem, writeSql } from './write-sql.ts';

/** The answer of a tile's statement, and what it cost. */
export interface SqlReading {
  columns: ArrangedColumns;
  read: ChartRead;
  warnings: readonly Warning[];
}

/** Rows of an answer that are drawn one by one; over time there are more. */
const rowsMax = 10_000;
const checkTimeoutMs = 10_000;
/** ClickHouse's TOO_MANY_ROWS_OR_BYTES. */
const tooManyCode = 396;

/** Reads tiles of raw SQL: checked, read-only, within the limits of every query. */
export class SqlReader {
  readonly #places: SqlPlaces;
  readonly #checks: CheckedStatements;
  readonly #limits: ScanLimits;

  constructor(places: SqlPlaces, checks: CheckedStatements, limits: ScanLimits) {
    this.#places = places;
    this.#checks = checks;
    this.#limits = limits;
  }

  /**
   * Throws `query_invalid` with path and position, `source_not_found`, `connection_not_found`, `query_timeout`,
   * `query_failed`, `engine_unavailable`.
   */
  async read(
    tenantId: string,
    tile: SqlTile,
    frame: SqlFrame,
    { queryClass, signal }: Omit<ScanOptions, 'bypassCache'>,
  ): Promise<SqlReading> {
    const options: RunOptions = {
      name: 'raw SQL',
      queryClass,
      timeoutMs: this.#limits.timeoutMs,
      ...(signal && { signal }),
    };
    const place = await this.#places.open(tenantId, tile);
    const statement = await writeSql(tile, frame, place, this.#places);
    try {
      await this.#checks.check(statement, place, options);
      const limits = {
        ...this.#limits,
        ...(place.source && settingsOfSource(place.source)),
        ...(tile.layout !== 'time' && { resultRowsMax: rowsMax }),
      };
      const query = rawQuery(statement, place.database, limits);
      const result = await place.engine.runner.run(query, options);
      const { rowsRead, bytesRead, elapsedMs } = result;
      const ran = {
        mechanism: 'rawSql' as const,
        reason: 'the tile is raw SQL',
        statement: query,
        scans: 1,
        rowsRead,
        bytesRead,
        elapsedMs,
      };
      return {
        columns: arrangeColumns(result, tile),
        read: { sourceName: place.name, seriesIndexes: [0], cachedBuckets: 0, cache: 'off', statements: [ran] },
        warnings: warningsOf(tile, frame),
      };
    } catch (error) {
      throw toProblem(objectionIn(error, statement) ?? error, place.name);
    }
  }

  /** Checks the statement without running it. Throws as `read` does. */
  async check(tenantId: string, tile: SqlTile, frame: SqlFrame): Promise<void> {
    const place = await this.#places.open(tenantId, tile);
    const statement = await writeSql(tile, frame, place, this.#places);
    try {
      await this.#checks.check(statement, place, {
        name: 'raw SQL check',
        queryClass: 'interactive',
        timeoutMs: checkTimeoutMs,
      });
    } catch (error) {
      throw toProblem(error, place.name);
    }
  }
}

function toProblem(error: unknown, name: string): unknown {
  if (error instanceof TelemetryError && error.kind === 'limit' && error.engineCode === tooManyCode) {
    const text = `the statement returns more than ${rowsMax} rows, or more text than allowed; aggregate further, or add a LIMIT`;
    return new QueryProblem(sqlTemplatePath, text);
  }
  return toQueryAppError(toSqlProblem(error, name));
}

/** Filters that would narrow the tile if its statement said where. */
function warningsOf({ template, sourceId }: SqlTile, { conditions }: SqlFrame): Warning[] {
  const applying = conditions.filter((each) => each.sourceId === undefined || each.sourceId === sourceId);
  if (applying.length === 0 || usesMacro(template, 'filters')) return [];
  const message = 'the filters of the dashboard do not narrow this tile; add AND $__filters to its conditions';
  return [{ path: sqlTemplatePath, message }];
}
