import { quoteName } from '../../kernel/sql-quoting.ts';
import type { AttributeRead } from '../../query/attribute-reads.ts';
import {
  attributeColumnName,
  attributeColumnPrefix,
  attributeExpression,
} from '../../query/schema/attribute-columns.ts';
import type { ClickHouseClient } from '../clickhouse-client.ts';
import { renderAlter, storedTable, type Topology, telemetryTables } from '../schema/render-ddl.ts';
import type { Column, TableDefinition } from '../schema/table-definition.ts';
import type { AttributeColumnMaker, Offer } from './hot-attributes.ts';

const timeoutMs = 60_000;
/** In the engine's own codec, the fastest to read: these columns are there because they are read much. */
const types = { text: 'String', number: 'Nullable(Float64)' };

interface Options {
  client: ClickHouseClient;
  topology: Topology;
  /** Columns that one table may be given; 0 = none. */
  columnsMax: number;
}

/**
 * Gives telemetry tables columns for attributes. The engine fills such a column from the attribute maps, no matter who
 * writes the rows, so the two always agree; older rows are filled in the background.
 */
export class ClickHouseAttributeColumns implements AttributeColumnMaker {
  readonly #client: ClickHouseClient;
  readonly #topology: Topology;
  readonly #columnsMax: number;

  constructor({ client, topology, columnsMax }: Options) {
    this.#client = client;
    this.#topology = topology;
    this.#columnsMax = columnsMax;
  }

  /** Throws `TelemetryError`. */
  async offer(read: AttributeRead, rowsRead: number): Promise<Offer> {
    const table = telemetryTables.find(({ name }) => name === read.table);
    const column = columnFor(read);
    if (!table || !column) return { outcome: 'rejected' };
    const { rows, columns } = await this.#describe(read.database, table);
    if (columns.includes(column[0])) return { outcome: 'made' };
    if (columns.length >= this.#columnsMax) return { outcome: 'rejected' };
    if (rows > rowsRead) return { outcome: 'tooSoon', rows };
    for (const change of changesFor(column)) {
      for (const statement of renderAlter(read.database, table, this.#topology, change)) {
        await this.#client.command(statement, { timeoutMs });
      }
    }
    return { outcome: 'made' };
  }

  /** How many rows the table holds, and the columns that it was given. */
  async #describe(database: string, table: TableDefinition): Promise<{ rows: number; columns: string[] }> {
    const { columns } = await this.#client.query(
      `SELECT toFloat64(total_rows),
        (SELECT groupArray(name) FROM system.columns
          WHERE database = {db:String} AND table = {table:String} AND startsWith(name, {prefix:String}))
      FROM system.tables WHERE database = {db:String} AND name = {table:String}`,
      {
        params: { db: database, table: storedTable(table, this.#topology), prefix: attributeColumnPrefix },
        timeoutMs,
      },
    );
    const [rows, names] = columns.map((column) => column[0]);
    return { rows: Number(rows ?? 0), columns: Array.isArray(names) ? names.map(String) : [] };
  }
}

function columnFor({ attribute, form }: AttributeRead): Column | undefined {
  const expression = attributeExpression(attribute, form);
  if (expression === undefined) return undefined;
  return [attributeColumnName(attribute, form), `${types[form]} MATERIALIZED ${expression}`];
}

function changesFor([name, definition]: Column): string[] {
  return [`ADD COLUMN IF NOT EXISTS ${quoteName(name)} ${definition}`, `MATERIALIZE COLUMN ${quoteName(name)}`];
}
