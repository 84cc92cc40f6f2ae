import type {
  Connection,
  ConnectionRemoval,
  ConnectionRepository,
} from '../resources/connections/connection-repository.ts';
import type { Source } from '../resources/sources/source.ts';
import { RememberedDocuments } from './find-document.ts';
import type { Executor, MetadataDatabase } from './metadata-database.ts';
import { lockReferences } from './reference-lock.ts';
import { parseDocument } from './stored-document.ts';

export class SqlConnectionRepository implements ConnectionRepository {
  readonly #database: MetadataDatabase;
  readonly #documents: RememberedDocuments;

  constructor(database: MetadataDatabase) {
    this.#database = database;
    this.#documents = new RememberedDocuments(database, 'connections');
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
    const document = await this.#documents.find(tenantId, id);
    return document === undefined ? undefined : parseDocument<Connection>(document);
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

  remove(tenantId: string, id: string, { force } = { force: false }): Promise<ConnectionRemoval> {
    return this.#database.transaction(async (inside) => {
      await lockReferences(inside, 'connections', tenantId);
      const sources = await sourcesOf(inside.writes, tenantId, id);
      if (sources.length > 0 && !force) return { kind: 'inUse', sources };
      if (sources.length > 0) await removeSources(inside.writes, tenantId, id);
      const result = await inside.writes
        .deleteFrom('connections')
        .where('tenant_id', '=', tenantId)
        .where('id', '=', id)
        .executeTakeFirst();
      if (result.numDeletedRows === 0n) return { kind: 'missing' };
      return { kind: 'removed', sources: sources.map((source) => source.id) };
    });
  }
}

async function sourcesOf(
  executor: Executor,
  tenantId: string,
  connectionId: string,
): Promise<{ id: string; name: string }[]> {
  const rows = await executor
    .selectFrom('sources')
    .select('document')
    .where('tenant_id', '=', tenantId)
    .where('connection_id', '=', connectionId)
    .orderBy('sequence')
    .execute();
  return rows.map(({ document }) => {
    const { id, name } = parseDocument<Source>(document);
    return { id, name };
  });
}

async function removeSources(executor: Executor, tenantId: string, connectionId: string): Promise<void> {
  await executor
    .deleteFrom('sources')
    .where('tenant_id', '=', tenantId)
    .where('connection_id', '=', connectionId)
    .execute();
}
