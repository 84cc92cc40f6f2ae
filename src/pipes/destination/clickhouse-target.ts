import type { Clock } from '../../kernel/clock.ts';
import { quoteName } from '../../kernel/sql-quoting.ts';
import { errorTableName } from '../../resources/pipes/error-table.ts';
import { type TableStatements, TelemetryError } from '../../telemetry/ports.ts';
import { DestinationError, type PreparedTarget, type WrittenBatch } from '../destination-port.ts';
import type { SourceBatch } from '../source-port.ts';
import type { TargetTable } from '../target-table.ts';
import { type BadRecord, findBadRecords, type ReadFailure } from './bad-records.ts';
import { createErrorTableStatements, type TablePlace } from './create-table.ts';
import { destinationErrorOf } from './destination-error.ts';
import { eraseStatement } from './erase-rows.ts';
import { type InsertPlan, insertPlan, NoColumnsError } from './insert-plan.ts';
import type { LiveTable } from './live-table.ts';
import { readFailureOf } from './read-failure.ts';
import { joined, recordCount, recordEnds } from './text-records.ts';

export interface ClickHouseTargetDeps {
  statements: TableStatements;
  place: TablePlace;
  settings: Readonly<Record<string, string | number>>;
  clock: Clock;
  target: TargetTable;
  live: LiveTable;
  /** DDL. */
  run: (sql: string) => Promise<void>;
}

type Order = Parameters<PreparedTarget['write']>[1];

const insertTimeoutMs = 300_000;
const recordCharsMax = 65_536;
const textFormats: ReadonlySet<SourceBatch['format']> = new Set(['JSONEachRow', 'JSONAsObject', 'CSV', 'TabSeparated']);

/** One table that is there and fits. */
export class ClickHouseTarget implements PreparedTarget {
  readonly #deps: ClickHouseTargetDeps;
  #hasErrorTable = false;

  constructor(deps: ClickHouseTargetDeps) {
    this.#deps = deps;
  }

  async write(batch: SourceBatch, order: Order): Promise<WrittenBatch> {
    const { target } = this.#deps;
    try {
      if (batch.erases) return await this.#erase(batch.erases.version);
      const unreadable = await this.#writeUnreadable(batch, order);
      if (batch.body.length === 0) return { rows: 0, errors: unreadable };
      const left = { ...order, errorsMax: order.errorsMax - unreadable };
      const { rows, errors } = await this.#write(batch, this.#planOf(batch), left);
      return { rows, errors: errors + unreadable };
    } catch (error) {
      throw destinationErrorOf(error, target.table);
    }
  }

  /** What the source could not read. */
  async #writeUnreadable({ unreadable = [] }: SourceBatch, order: Order): Promise<number> {
    if (unreadable.length === 0) return 0;
    const shown = unreadable.slice(0, order.errorsMax + 1);
    await this.#insertErrors(shown, { ...order, token: `${order.token}-unreadable` });
    if (unreadable.length > order.errorsMax) throw this.#tooMany(order);
    return unreadable.length;
  }

  /** The same again finds nothing that is left to mark. */
  async #erase(version: string): Promise<WrittenBatch> {
    const statement = eraseStatement(this.#name(this.#deps.target.table), this.#deps.target, version);
    const { statements, settings } = this.#deps;
    if (statement !== undefined) await statements.command(statement, { settings, timeoutMs: insertTimeoutMs });
    return { rows: 0, errors: 0 };
  }

  #planOf(batch: SourceBatch): InsertPlan {
    const { target, live } = this.#deps;
    try {
      return insertPlan(this.#name(target.table), target, live, batch);
    } catch (error) {
      if (!(error instanceof NoColumnsError)) throw error;
      const sentence = `None of the fields of ${batch.positionOf(0)} fills a column of ${target.table}.`;
      throw new DestinationError('rejected', sentence, error);
    }
  }

  async #write(batch: SourceBatch, plan: InsertPlan, order: Order): Promise<WrittenBatch> {
    const isText = textFormats.has(batch.format) && !batch.isWhole;
    try {
      const written = await this.#insert(plan, batch.body, order);
      if (!isText) return { rows: written, errors: 0 };
      return { rows: batch.records ?? recordCount(batch.body, batch.format === 'CSV'), errors: 0 };
    } catch (error) {
      const failure = error instanceof TelemetryError ? readFailureOf(error) : undefined;
      if (!failure) throw error;
      return isText ? this.#writeReadable(batch, plan, order) : this.#rejectWhole(batch, failure, order);
    }
  }

  /** A batch with records that do not fit: they go to the error table, the others to theirs, each with its token. */
  async #writeReadable(batch: SourceBatch, plan: InsertPlan, order: Order): Promise<WrittenBatch> {
    const text = joined(batch.body);
    const ends = recordEnds(text, batch.format === 'CSV');
    const part = (from: number, to: number) => text.subarray(ends[from - 1] ?? 0, ends[to - 1] ?? 0);
    const probe = (from: number, to: number) => this.#probe(plan, part(from, to), order.signal);
    const bad = await findBadRecords(ends.length, probe, order.errorsMax);
    const records = bad.map((record) => ({ ...record, record: part(record.index, record.index + 1).toString() }));
    await this.#insertErrors(placed(batch, records), order);
    if (bad.length > order.errorsMax) throw this.#tooMany(order);
    const good = goodRanges(bad, ends.length).map(([from, to]) => part(from, to));
    if (good.length > 0) await this.#insert(plan, good, order);
    return { rows: ends.length - bad.length, errors: bad.length };
  }

  /** A file that can be read only as a whole is one record. */
  async #rejectWhole(batch: SourceBatch, { reason }: ReadFailure, order: Order): Promise<WrittenBatch> {
    await this.#insertErrors(placed(batch, [{ index: 0, reason, record: '' }]), order);
    if (order.errorsMax < 1) throw this.#tooMany(order);
    return { rows: 0, errors: 1 };
  }

  async #probe(plan: InsertPlan, text: Uint8Array, signal: AbortSignal): Promise<ReadFailure | undefined> {
    const settings = { ...this.#deps.settings, ...plan.settings };
    try {
      const insert = { statement: plan.probe, body: [text], settings, timeoutMs: insertTimeoutMs, signal };
      await this.#deps.statements.insertRaw(insert);
      return undefined;
    } catch (error) {
      const failure = error instanceof TelemetryError ? readFailureOf(error) : undefined;
      if (!failure) throw error;
      return failure;
    }
  }

  #insert(plan: InsertPlan, body: readonly Uint8Array[], { token, signal }: Order): Promise<number> {
    const settings = { ...this.#deps.settings, ...plan.settings };
    const insert = { statement: plan.insert, body, settings, token, timeoutMs: insertTimeoutMs, signal };
    return this.#deps.statements.insertRaw(insert);
  }

  async #insertErrors(bad: NonNullable<SourceBatch['unreadable']>, { pipeId, token, signal }: Order): Promise<void> {
    const { table } = this.#deps.target;
    if (!this.#hasErrorTable) {
      for (const statement of createErrorTableStatements(this.#deps.place, table)) await this.#deps.run(statement);
    }
    this.#hasErrorTable = true;
    const at = new Date(this.#deps.clock.nowMs()).toISOString();
    const lines = bad.map(({ position, reason, record }) =>
      JSON.stringify({ pipe_id: pipeId, at, position, reason, record: record.slice(0, recordCharsMax) }),
    );
    await this.#deps.statements.insertRaw({
      statement: `INSERT INTO ${this.#name(errorTableName(table))} FORMAT JSONEachRow`,
      body: [Buffer.from(`${lines.join('\n')}\n`)],
      token: `${token}-errors`,
      settings: { date_time_input_format: 'best_effort' },
      timeoutMs: insertTimeoutMs,
      signal,
    });
  }

  #tooMany({ errorsMax }: Order): DestinationError {
    const { table } = this.#deps.target;
    const sentence = `Too many records do not fit (the last ${errorsMax + 1} of them are in ${errorTableName(table)} with their reasons). Change the pipe, the table or the source, and start the pipe again.`;
    return new DestinationError('rejected', sentence);
  }

  #name(table: string): string {
    return `${quoteName(this.#deps.place.database)}.${quoteName(table)}`;
  }
}

function placed(batch: SourceBatch, bad: readonly (BadRecord & { record: string })[]) {
  return bad.map(({ index, reason, record }) => ({ position: batch.positionOf(index), reason, record }));
}

function goodRanges(bad: readonly BadRecord[], count: number): [number, number][] {
  const starts = [0, ...bad.map(({ index }) => index + 1)];
  const ends = [...bad.map(({ index }) => index), count];
  return starts.flatMap((from, at): [number, number][] => {
    const to = ends[at] ?? count;
    return from < to ? [[from, to]] : [];
  });
}
