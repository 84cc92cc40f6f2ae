import type { Clock } from '../../kernel/clock.ts';
import { quoteName } from '../../kernel/sql-quoting.ts';
import type { TableStatements } from '../../telemetry/ports.ts';
import { DestinationError, type PipeDestination, type PreparedTarget } from '../destination-port.ts';
import type { TargetTable } from '../target-table.ts';
import { ClickHouseTarget } from './clickhouse-target.ts';
import { addColumnStatements, createTableStatements, deduplicationSetting, type TablePlace } from './create-table.ts';
import { destinationErrorOf } from './destination-error.ts';
import { type LiveTable, misfits } from './live-table.ts';

export interface ClickHouseDestinationDeps {
  statements: TableStatements;
  /** The database of the pipe's service, and where it is. */
  place: TablePlace;
  /** Makes the database where it is missing. */
  ensureDatabase: () => Promise<void>;
  /** Of the engine, for every insert of the pipe. */
  settings: Readonly<Record<string, string | number>>;
  clock: Clock;
}

const statementTimeoutMs = 60_000;
const misfitsShown = 10;
/** A node that is down makes its tables when it is back; it is waited for, but not for long. */
const clusterSettings = { distributed_ddl_output_mode: 'null_status_on_timeout', distributed_ddl_task_timeout: 10 };

/** Tables in the database of one service. */
export class ClickHouseDestination implements PipeDestination {
  readonly #deps: ClickHouseDestinationDeps;

  constructor(deps: ClickHouseDestinationDeps) {
    this.#deps = deps;
  }

  async prepare(target: TargetTable, signal: AbortSignal): Promise<PreparedTarget> {
    try {
      await this.#deps.ensureDatabase();
      const found = (await this.#describe(target.table, signal)) ?? (await this.#create(target, signal));
      const live = await this.#withNewColumns(target, found, signal);
      const differences = misfits(target, live);
      if (differences.length > 0) throw new DestinationError('rejected', sentenceOf(differences));
      await this.#rememberTokens(target.table, live);
      return new ClickHouseTarget({ ...this.#deps, target, live, run: (sql) => this.#command(sql) });
    } catch (error) {
      throw destinationErrorOf(error, target.table);
    }
  }

  async #create(target: TargetTable, signal: AbortSignal): Promise<LiveTable> {
    const { table } = target;
    if (!target.isManaged) {
      const sentence = `There is no table ${table}; make it, or set destination.managedTable to true.`;
      throw new DestinationError('rejected', sentence);
    }
    for (const statement of createTableStatements(this.#deps.place, target)) await this.#command(statement);
    const live = await this.#describe(table, signal);
    if (!live) throw new DestinationError('away', `The table ${table} was made, but cannot be found yet.`);
    return live;
  }

  /** The source has got columns since the table was made. */
  async #withNewColumns(target: TargetTable, live: LiveTable, signal: AbortSignal): Promise<LiveTable> {
    const names = new Set(live.columns.map(({ name }) => name));
    const missing = target.followsSource ? (target.columns ?? []).filter(({ name }) => !names.has(name)) : [];
    if (missing.length === 0 || !target.isManaged) return live;
    for (const statement of addColumnStatements(this.#deps.place, target, missing)) await this.#command(statement);
    return (await this.#describe(target.table, signal)) ?? live;
  }

  async #describe(table: string, signal: AbortSignal): Promise<LiveTable | undefined> {
    const { statements, place } = this.#deps;
    const sql = `SELECT name, type, default_kind, (
        SELECT engine FROM system.tables WHERE database = {db:String} AND name = {table:String}
      ) AS engine, (
        SELECT engine_full FROM system.tables WHERE database = {db:String} AND name = {table:String}
      ) AS definition
      FROM system.columns WHERE database = {db:String} AND table = {table:String} ORDER BY position`;
    const params = { db: place.database, table };
    const { columns, rows } = await statements.query(sql, { params, timeoutMs: statementTimeoutMs, signal });
    if (rows === 0) return undefined;
    const [names = [], types = [], kinds = [], [engine] = [], [definition] = []] = columns;
    return {
      engine: String(engine),
      definition: String(definition),
      columns: names.map((name, row) => ({
        name: String(name),
        type: String(types[row]),
        isComputed: kinds[row] === 'MATERIALIZED' || kinds[row] === 'ALIAS' || kinds[row] === 'EPHEMERAL',
      })),
    };
  }

  /** A table that someone else made may not remember tokens; without them, a retry would double rows. */
  async #rememberTokens(table: string, { engine, definition }: LiveTable): Promise<void> {
    const isPlain = engine.endsWith('MergeTree') && !/^(Replicated|Shared)/.test(engine);
    if (!isPlain || definition.includes('non_replicated_deduplication_window')) return;
    const name = `${quoteName(this.#deps.place.database)}.${quoteName(table)}`;
    await this.#command(`ALTER TABLE ${name} MODIFY SETTING ${deduplicationSetting}`);
  }

  #command(sql: string): Promise<void> {
    const { statements, place } = this.#deps;
    const settings = place.cluster === undefined ? {} : clusterSettings;
    return statements.command(sql, { settings, timeoutMs: statementTimeoutMs });
  }
}

function sentenceOf(found: readonly string[]): string {
  const shown = found.slice(0, misfitsShown).join(' ');
  return found.length > misfitsShown ? `${shown} There are ${found.length - misfitsShown} more differences.` : shown;
}
