import type pg from 'pg';
import type { SourceType } from './column-mapping.ts';
import { textRows } from './postgres-connections.ts';

/** A table as PostgreSQL's catalogue has it. */
export interface CatalogTable {
  oid: number;
  schema: string;
  table: string;
  /** `r` table, `p` partitioned table; others cannot be read. */
  kind: string;
  /** `d` primary key, `i` an index, `f` the whole row, `n` nothing. */
  identity: string;
  primaryKey: readonly string[];
  /** Columns that old rows are known by; empty with `f` and `n`. */
  identityKey: readonly string[];
  columns: readonly CatalogColumn[];
}

interface CatalogColumn {
  name: string;
  typeOid: number;
  modifier: number;
  isNotNull: boolean;
}

/** Arrays in name only: their texts are not array literals. */
const vectorOids = ['22', '30'];

/** The tables with these names, where there are any. Generated columns are left out: the stream does not have them. */
export async function findTables(
  client: pg.Client,
  names: readonly { schema: string; table: string }[],
): Promise<CatalogTable[]> {
  const rows = await textRows(
    client,
    `SELECT c.oid, n.nspname, c.relname, c.relkind, c.relreplident
     FROM unnest($1::text[], $2::text[]) AS wanted(schema_name, table_name)
     JOIN pg_namespace n ON n.nspname = wanted.schema_name
     JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = wanted.table_name`,
    [names.map(({ schema }) => schema), names.map(({ table }) => table)],
  );
  const oids = rows.map(([oid]) => oid);
  const [columns, indexes] = [await columnsOf(client, oids), await indexesOf(client, oids)];
  return rows.map(([oid = null, schema, table, kind, identity]) => {
    const own = indexes.filter((index) => index.table === oid);
    const primaryKey = own.find(({ isPrimary }) => isPrimary)?.columns ?? [];
    const chosen = own.find(({ isIdentity }) => isIdentity)?.columns ?? [];
    return {
      oid: Number(oid),
      schema: schema ?? '',
      table: table ?? '',
      kind: kind ?? '',
      identity: identity ?? '',
      primaryKey,
      identityKey: identity === 'd' ? primaryKey : identity === 'i' ? chosen : [],
      columns: columns.filter((column) => column.table === oid),
    };
  });
}

/** Tables that the user of the connection may read, as `schema.table`. */
export async function readableTables(client: pg.Client, max: number): Promise<string[]> {
  const rows = await textRows(
    client,
    `SELECT n.nspname || '.' || c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind IN ('r', 'p') AND n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\\_%'
       AND has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT')
     ORDER BY 1 LIMIT $1`,
    [max],
  );
  return rows.flatMap(([name]) => name ?? []);
}

async function columnsOf(client: pg.Client, oids: readonly unknown[]) {
  const rows = await textRows(
    client,
    `SELECT attrelid, attname, atttypid, atttypmod, attnotnull FROM pg_attribute
     WHERE attrelid = ANY($1::oid[]) AND attnum > 0 AND NOT attisdropped
       AND coalesce(to_jsonb(pg_attribute) ->> 'attgenerated', '') = ''
     ORDER BY attrelid, attnum`,
    [oids],
  );
  return rows.map(([table, name, typeOid, modifier, isNotNull]) => ({
    table: table ?? null,
    name: name ?? '',
    typeOid: Number(typeOid),
    modifier: Number(modifier),
    isNotNull: isNotNull === 't',
  }));
}

async function indexesOf(client: pg.Client, oids: readonly unknown[]) {
  const rows = await textRows(
    client,
    `SELECT i.indrelid, i.indisprimary AND i.indimmediate, i.indisreplident,
       (SELECT json_agg(a.attname ORDER BY k.place) FROM unnest(i.indkey) WITH ORDINALITY AS k(attnum, place)
        JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum WHERE k.place <= i.indnkeyatts)
     FROM pg_index i WHERE i.indrelid = ANY($1::oid[]) AND (i.indisprimary OR i.indisreplident)`,
    [oids],
  );
  return rows.map(([table, isPrimary, isIdentity, names]) => ({
    table: table ?? null,
    isPrimary: isPrimary === 't',
    isIdentity: isIdentity === 't',
    // An aggregate over names.
    columns: JSON.parse(names ?? '[]') as string[],
  }));
}

/** A type and its name with its schema, quoted, without modifiers. */
export interface CatalogType extends SourceType {
  quotedName: string;
}

/** The types with these object ids; domains become what they stand for. */
export async function findTypes(
  client: pg.Client,
  wanted: readonly { oid: number; modifier: number }[],
): Promise<Map<number, CatalogType>> {
  const rows = await textRows(
    client,
    `WITH RECURSIVE resolved AS (
       SELECT t.oid AS given, t.oid, t.typtype, t.typbasetype, -1 AS modifier FROM pg_type t WHERE t.oid = ANY($1::oid[])
       UNION ALL
       SELECT r.given, b.oid, b.typtype, b.typbasetype, CASE WHEN r.modifier >= 0 THEN r.modifier ELSE d.typtypmod END
       FROM resolved r JOIN pg_type d ON d.oid = r.oid JOIN pg_type b ON b.oid = r.typbasetype WHERE r.typtype = 'd'
     )
     SELECT r.given, t.typname, t.typtype, r.modifier, quote_ident(n.nspname) || '.' || quote_ident(t.typname),
       CASE WHEN t.typcategory = 'A' AND t.typelem <> 0 AND t.oid <> ALL($2::oid[]) THEN t.typelem END
     FROM resolved r JOIN pg_type t ON t.oid = r.oid JOIN pg_namespace n ON n.oid = t.typnamespace
     WHERE r.typtype <> 'd'`,
    [wanted.map(({ oid }) => oid), vectorOids],
  );
  const elements = rows.flatMap(([, , , , , element]) => (element ? [{ oid: Number(element), modifier: -1 }] : []));
  const elementTypes = elements.length > 0 ? await findTypes(client, elements) : new Map<number, CatalogType>();
  return new Map(
    rows.map(([given, name, kind, modifier, quotedName, element]) => {
      const item = element ? elementTypes.get(Number(element)) : undefined;
      const type: CatalogType = {
        name: name ?? '',
        isEnum: kind === 'e',
        modifier: Number(modifier),
        quotedName: quotedName ?? '',
        ...(item && { element: item }),
      };
      return [Number(given), type];
    }),
  );
}
