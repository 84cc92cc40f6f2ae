import type { Clock } from '../../../kernel/clock.ts';
import {
  checkResolution,
  checkSyntax,
  forbiddenTable,
  type NamedTable,
  objectionTo,
  parserQuery,
  type RawStatement,
  resolutionQuery,
  syntaxError,
  syntaxQuery,
  tableEnginesQuery,
} from '../../../query/compile-raw-sql.ts';
import type { CompiledQuery, QueryTextError } from '../../../query/compiled-query.ts';
import { type QueryResult, type RunOptions, TelemetryError } from '../../../telemetry/ports.ts';
import type { ScanLimits } from '../reading/scan-runner.ts';
import type { SqlPlace } from './sql-place.ts';

/** A table may be replaced by a view in the meantime. */
const keepMs = 60_000;
const keptMax = 2_000;
/** ClickHouse's SYNTAX_ERROR. */
const syntaxErrorCode = 62;

/**
 * Checks statements before they run: what the engine's parser finds in them, whether the tables that they name hold
 * their rows themselves, and what the engine's analyser resolves them to. Nothing is resolved before the first has
 * passed, since resolving evaluates constants.
 */
export class CheckedStatements {
  readonly #clock: Clock;
  readonly #limits: ScanLimits;
  /** Statements that passed lately, until when. */
  readonly #passed = new Map<string, number>();

  constructor(clock: Clock, limits: ScanLimits) {
    this.#clock = clock;
    this.#limits = limits;
  }

  /** Throws `QueryTextError` with the position in the person's text, `TelemetryError`. */
  async check(statement: RawStatement, place: SqlPlace, options: RunOptions): Promise<void> {
    const key = JSON.stringify([place.connectionId, place.database, place.databases, statement.written.sql]);
    const now = this.#clock.nowMs();
    if ((this.#passed.get(key) ?? 0) > now) return;
    await this.#check(statement, place, options);
    if (this.#passed.size >= keptMax) this.#passed.clear();
    this.#passed.set(key, now + keepMs);
  }

  /** The embedded engine does not say where a statement is wrong unless it is asked separately. */
  async #parse(statement: RawStatement, { engine, database }: SqlPlace, options: RunOptions): Promise<QueryResult> {
    try {
      return await engine.runner.run(syntaxQuery(statement, database, this.#limits), options);
    } catch (error) {
      if (!(error instanceof TelemetryError) || error.engineCode !== syntaxErrorCode)
        throw objectionIn(error, statement) ?? error;
      const parser = engine.runner.run(parserQuery(statement, this.#limits), options);
      throw syntaxError(statement, await parser.then(() => undefined, messageOf));
    }
  }

  async #check(statement: RawStatement, place: SqlPlace, options: RunOptions): Promise<void> {
    const { engine, database, databases } = place;
    const ask = async (query: CompiledQuery): Promise<QueryResult> => {
      try {
        return await engine.runner.run(query, options);
      } catch (error) {
        throw objectionIn(error, statement) ?? error;
      }
    };
    const parsed = linesOf(await this.#parse(statement, place, options));
    const tables = checkSyntax(statement, parsed, databases);
    if (!databases) return;
    const full = tables.map(({ table, database: named = database ?? '' }) => ({ table, database: named }));
    if (full.length > 0) rejectViews(statement, full, await ask(tableEnginesQuery(full, this.#limits)));
    checkResolution(statement, linesOf(await ask(resolutionQuery(statement, database, this.#limits))), databases);
  }
}

/** What the engine objects to in the person's text; `undefined` for other failures. */
export function objectionIn(error: unknown, statement: RawStatement): QueryTextError | undefined {
  if (!(error instanceof TelemetryError) || error.kind !== 'failed') return undefined;
  return objectionTo(statement, error.engineCode, error.message);
}

function messageOf(error: unknown): string {
  if (error instanceof TelemetryError && error.kind === 'failed') return error.message;
  throw error;
}

function linesOf({ columns }: QueryResult): string[] {
  return (columns[0] ?? []).flatMap((cell) => String(cell).split('\n'));
}

/** Tables that hold their rows, here or on the other servers of a cluster. */
function rejectViews(statement: RawStatement, named: readonly Required<NamedTable>[], found: QueryResult): void {
  const [databases = [], names = [], engines = [], definitions = []] = found.columns;
  names.forEach((table, row) => {
    const database = String(databases[row]);
    if (!named.some((each) => each.table === table && each.database === database)) return;
    const engine = String(engines[row]);
    const holdsRows = /MergeTree$/.test(engine) || isDistributedWithin(database, engine, String(definitions[row]));
    if (!holdsRows) throw forbiddenTable(statement, String(table));
  });
}

function isDistributedWithin(database: string, engine: string, definition: string): boolean {
  if (engine !== 'Distributed') return false;
  const target = /^Distributed\(\s*('[^']*'|`[^`]*`|\w+)\s*,\s*('[^']*'|`[^`]*`|\w+)\s*,/.exec(definition)?.[2];
  return target?.replace(/^['`](.*)['`]$/, '$1') === database;
}
