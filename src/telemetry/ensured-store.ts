import type { TableSchema } from '../query/source-schema.ts';
import type { BlockInserter, TableSchemas, TelemetryDatabases } from './ports.ts';

/**
 * A tenant may be made while the program runs, also by another process: whatever touches a tenant's database first
 * makes it. Once made, that costs a look into a map.
 */
export class EnsuredInserter implements BlockInserter {
  readonly #databases: TelemetryDatabases;
  readonly #inserter: BlockInserter;

  constructor(databases: TelemetryDatabases, inserter: BlockInserter) {
    this.#databases = databases;
    this.#inserter = inserter;
  }

  async insert(batch: Parameters<BlockInserter['insert']>[0]): Promise<void> {
    await this.#databases.ensure(batch.database);
    await this.#inserter.insert(batch);
  }
}

export class EnsuredTableSchemas implements TableSchemas {
  readonly #databases: TelemetryDatabases;
  readonly #schemas: TableSchemas;

  constructor(databases: TelemetryDatabases, schemas: TableSchemas) {
    this.#databases = databases;
    this.#schemas = schemas;
  }

  async describe(database: string, table: string): Promise<TableSchema | undefined> {
    await this.#databases.ensure(database);
    return this.#schemas.describe(database, table);
  }
}
