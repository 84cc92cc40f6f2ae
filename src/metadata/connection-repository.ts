import type { Connection, ConnectionRepository } from '../resources/connections/connection-repository.ts';
import type { Executor, MetadataDatabase } from './metadata-database.ts';
import { lockReferences } from './reference-lock.ts';
import { parseDocument } from './stored-document.ts';

type Removal = Awaited<ReturnType<ConnectionRepository['remove']>>;

export class SqlConnectionRepository implements ConnectionRepository {
  readonly #database: MetadataDatabase;

  constructor(database: MetadataDatabase) {
    this.#database = database;
  }

  async list(tenantId: string): Promise<Connection[]> {
    const rows = await this.#database.reads
      .selectFrom('connections')
      .select('document')
      .where('tenant_id', '=', tenantId)
      .orderBy('sequence')
      .execute();
    return rows.map((row) => parseDocument<Connection>(row.document));
  }

  async find(tenantId: string, id: string): Promise<Connection | undefined> {
    const row = await this.#database.reads
      .selectFrom('connections')
      .select('document')
      .where('tenant_id', '=', tenantId)
      .where('id', '=', id)
      .executeTakeFirst();
    return row && parseDocument<Connection>(row.document);
  }

  async insert(tenantId: string, connection: Connection): Promise<void> {
    await this.#database.writes
      .insertInto('connections')
      .values({ id: connection.id, tenant_id: tenantId, document: JSON.stringify(connection) })
      .execute();
  }

  async replace(tenantId: string, connection: Connection): Promise<boolean> {
    const result = await this.#database.writes
      .updateTable('connections')
      .set({ document: JSON.stringify(connection) })
      .where('tenant_id', '=', tenantId)
      .where('id', '=', connection.id)
      .executeTakeFirst();
    return result.numUpdatedRows > 0n;
  }

  remove(tenantId: string, id: string): Promise<Removal> {
    return this.#database.transaction(async (inside) => {
      await lockReferences(inside, 'connections', tenantId);
      const sources = await countSources(inside.writes, tenantId, id);
      if (sources > 0) return { kind: 'inUse', sources };
      const result = await inside.writes
        .deleteFrom('connections')
        .where('tenant_id', '=', tenantId)
        .where('id', '=', id)
        .executeTakeFirst();
      return { kind: result.numDeletedRows > 0n ? 'removed' : 'missing' };
    });
  }
}

async function countSources(executor: Executor, tenantId: string, connectionId: string): Promise<number> {
  const row = await executor
    .selectFrom('sources')
    .select((select) => select.fn.countAll<number>().as('sources'))
    .where('tenant_id', '=', tenantId)
    .where('connection_id', '=', connectionId)
    .executeTakeFirstOrThrow();
  return row.sources;
}
