import type pg from 'pg';
import { SourceError } from '../source-port.ts';
import type { Relation } from './pgoutput.ts';
import type { MappedTable, PostgresPlan } from './postgres-plan.ts';
import { type ReplicatedTable, replicatedTable } from './replicated-table.ts';
import { type CatalogTable, findTables, findTypes } from './source-catalog.ts';

/** The tables of a pipe, as PostgreSQL describes them now and as its stream describes them. */
export class SourceTables {
  readonly #plan: PostgresPlan;
  readonly #client: pg.Client;
  #catalog: readonly CatalogTable[] = [];

  constructor(plan: PostgresPlan, client: pg.Client) {
    this.#plan = plan;
    this.#client = client;
  }

  /** As they are now. Throws `SourceError`. */
  async read(): Promise<ReplicatedTable[]> {
    const { tables } = this.#plan;
    this.#catalog = await findTables(this.#client, tables);
    const found: ReplicatedTable[] = [];
    for (const mapped of tables) {
      const catalog = this.#catalog.find(({ schema, table }) => schema === mapped.schema && table === mapped.table);
      if (!catalog) throw new SourceError('rejected', `PostgreSQL has no table ${mapped.schema}.${mapped.table}.`);
      if (catalog.kind !== 'r' && catalog.kind !== 'p') {
        throw new SourceError('rejected', `${mapped.schema}.${mapped.table} is not a table; a pipe reads only tables.`);
      }
      found.push(await this.#replicated(mapped, catalog, catalog.columns));
    }
    return found;
  }

  /** A table with the columns that the stream says it had; `undefined` when it is not the pipe's. */
  async ofStream(relation: Relation): Promise<ReplicatedTable | undefined> {
    const mapped = this.#plan.tables.find(
      ({ schema, table }) => schema === relation.schema && table === relation.table,
    );
    if (!mapped) return undefined;
    const [present] = await findTables(this.#client, [mapped]);
    const catalog = present ?? this.#catalog.find(({ oid }) => oid === relation.oid);
    if (!catalog) throw new SourceError('rejected', `PostgreSQL has no table ${mapped.schema}.${mapped.table}.`);
    const columns = relation.columns.map(({ name, typeOid, typeModifier }) => ({
      name,
      typeOid,
      modifier: typeModifier,
      isNotNull: catalog.columns.find((column) => column.name === name)?.isNotNull ?? false,
    }));
    return this.#replicated(mapped, catalog, columns);
  }

  async #replicated(
    mapped: MappedTable,
    catalog: CatalogTable,
    columns: CatalogTable['columns'],
  ): Promise<ReplicatedTable> {
    const types = await findTypes(
      this.#client,
      columns.map(({ typeOid, modifier }) => ({ oid: typeOid, modifier })),
    );
    const known = columns.map(({ name, typeOid, modifier, isNotNull }) => {
      const type = types.get(typeOid);
      if (type) return { name, type, modifier, isNotNull };
      const sentence = `A type of ${mapped.schema}.${mapped.table} no longer exists in PostgreSQL; resync the pipe.`;
      throw new SourceError('rejected', sentence);
    });
    return replicatedTable(this.#plan, mapped, catalog, known);
  }
}
