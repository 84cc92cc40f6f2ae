import { digestOf } from '../../kernel/digest.ts';
import type { EncodedBlock, TelemetryTable } from '../../telemetry/ports.ts';
import { PayloadTooLargeError } from '../intake-errors.ts';
import { ByteBuilder } from './byte-builder.ts';
import type { Column } from './column.ts';

/** All columns of one table together, at most. */
const tableBytesMax = 256 << 20;

/**
 * The rows of one table that one request brings, column by column. Keys of `columns` are the table's column names; the
 * plain types are the block's, and the engine casts them to the table's (LowCardinality).
 */
export class NativeTable<Columns extends Record<string, Column>> {
  readonly columns: Columns;
  rows = 0;
  /** Rows whose resource and scope columns are filled; these are filled last, for all rows of a scope together. */
  rowsWithOrigin = 0;
  /** Number of the resource whose columns the last row has; 0 when there is no row. */
  lastResource = 0;
  readonly #name: TelemetryTable;
  readonly #all: { header: Buffer; column: Column }[];

  constructor(name: TelemetryTable, columns: Columns) {
    this.#name = name;
    this.columns = columns;
    this.#all = Object.entries(columns).map(([columnName, column]) => ({
      header: columnHeader(columnName, column.type),
      column,
    }));
  }

  /** Throws `PayloadTooLargeError` when the rows so far need more memory than one request may have. */
  checkSize(): void {
    let bytes = 0;
    for (const { column } of this.#all) bytes += column.byteLength;
    if (bytes > tableBytesMax) throw new PayloadTooLargeError('the request expands to more than one request can store');
  }

  /** The rows as one block of ClickHouse's Native format, in separate memory. */
  encode(): EncodedBlock {
    const dimensions = new ByteBuilder();
    dimensions.appendVarint(this.#all.length);
    dimensions.appendVarint(this.rows);
    const parts: Uint8Array[] = [dimensions.view()];
    for (const { header, column } of this.#all) {
      parts.push(header);
      column.collect(parts);
    }
    const bytes = Buffer.concat(parts);
    return { table: this.#name, rows: this.rows, bytes, digest: digestOf(bytes) };
  }

  clear(): void {
    this.rows = 0;
    this.rowsWithOrigin = 0;
    this.lastResource = 0;
    for (const { column } of this.#all) column.clear();
  }

  /** Remembers where the rows end, for one `rollback`. */
  checkpoint(): void {
    for (const { column } of this.#all) column.checkpoint();
  }

  /** Drops what a record appended that broke in the middle of its row. */
  rollback(): void {
    for (const { column } of this.#all) column.rollback();
  }
}

function columnHeader(name: string, type: string): Buffer {
  const header = new ByteBuilder();
  header.appendText(name);
  header.appendText(type);
  return header.view();
}
