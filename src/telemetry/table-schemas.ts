import type { Clock } from '../kernel/clock.ts';
import type { TableSchema } from '../query/source-schema.ts';
import type { ClickHouseClient } from './clickhouse-client.ts';
import type { TableSchemas } from './ports.ts';

const keepMs = 30_000;
const keptMax = 10_000;
const timeoutMs = 10_000;

/** Only our own tables of logs and spans have it; on a cluster it is in the underlying tables (`_local`). */
const ownProjection = 'hour_counts';

interface Kept {
  until: number;
  schema: Promise<TableSchema | undefined>;
}

/**
 * Live columns, their defaults, projections and sort key from the system tables, asked at most every 30 s per table;
 * callers at the same time share one question.
 */
export class ClickHouseTableSchemas implements TableSchemas {
  readonly #client: ClickHouseClient;
  readonly #clock: Clock;
  readonly #kept = new Map<string, Kept>();

  constructor(client: ClickHouseClient, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
  }

  describe(database: string, table: string): Promise<TableSchema | undefined> {
    const key = JSON.stringify([database, table]);
    const kept = this.#kept.get(key);
    if (kept && this.#clock.nowMs() < kept.until) return kept.schema;
    const schema = this.#ask(database, table);
    if (this.#kept.size >= keptMax) this.#kept.clear();
    this.#kept.set(key, { until: this.#clock.nowMs() + keepMs, schema });
    // Neither a failure nor a missing table is worth remembering: both are soon different.
    const forget = () => {
      if (this.#kept.get(key)?.schema === schema) this.#kept.delete(key);
    };
    schema.then((found) => found ?? forget(), forget);
    return schema;
  }

  async #ask(database: string, table: string): Promise<TableSchema | undefined> {
    const sql = `SELECT name, type, default_expression, default_kind, (
        SELECT any(extractAll(create_table_query, 'PROJECTION \`?([A-Za-z0-9_]+)\`? [(]'))
        FROM system.tables WHERE database = {db:String} AND name = {table:String}
      ) AS projections, (
        SELECT countIf(has(extractAll(create_table_query, 'PROJECTION \`?([A-Za-z0-9_]+)\`? [(]'), {own:String})) > 0
        FROM system.tables WHERE database = {db:String} AND name IN ({table:String}, concat({table:String}, '_local'))
      ) AS is_ours, (
        SELECT toFloat64(any(total_rows)) FROM system.tables WHERE database = {db:String} AND name = {table:String}
      ) AS total_rows, (
        SELECT any(sorting_key) FROM system.tables WHERE database = {db:String} AND name = {table:String}
      ) AS sorting_key
      FROM system.columns WHERE database = {db:String} AND table = {table:String} ORDER BY position`;
    const params = { db: database, table, own: ownProjection };
    const { columns, rows } = await this.#client.query(sql, { params, timeoutMs });
    if (rows === 0) return undefined;
    const [
      names = [],
      types = [],
      expressions = [],
      kinds = [],
      [projections] = [],
      [isOurs] = [],
      [totalRows] = [],
      [sortingKey] = [],
    ] = columns;
    return {
      database,
      table,
      columns: new Map(names.map((name, row) => [String(name), String(types[row])])),
      defaults: new Map(names.map((name, row) => [String(name), String(expressions[row] ?? '')] as const)),
      materialized: new Map(
        names.flatMap((name, row) =>
          kinds[row] === 'MATERIALIZED' ? [[String(expressions[row]), String(name)] as const] : [],
        ),
      ),
      sortColumns: leadingColumns(String(sortingKey ?? '')),
      ...(typeof totalRows === 'number' && { rows: totalRows }),
      projections: new Set(Array.isArray(projections) ? projections.map(String) : []),
      ...(Number(isOurs) === 1 && { isOurs: true }),
    };
  }
}

/** Of a sort key as the engine writes it, the columns before the first expression. */
function leadingColumns(sortingKey: string): string[] {
  const keys = sortingKey.split(', ');
  const expression = keys.findIndex((key) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(key));
  return expression < 0 ? keys : keys.slice(0, expression);
}
