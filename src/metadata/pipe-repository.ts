import type { StoredPipe } from '../resources/pipes/pipe.ts';
import type { PipeRepository } from '../resources/pipes/pipe-repository.ts';
import type { MetadataDatabase } from './metadata-database.ts';
import { parseDocument } from './stored-document.ts';

export class SqlPipeRepository implements PipeRepository {
  readonly #database: MetadataDatabase;

  constructor(database: MetadataDatabase) {
    this.#database = database;
  }

  async list(serviceId: string): Promise<StoredPipe[]> {
    const rows = await this.#database.reads
      .selectFrom('pipes')
      .select('document')
      .where('tenant_id', '=', serviceId)
      .orderBy('sequence')
      .execute();
    return rows.map((row) => parseDocument<StoredPipe>(row.document));
  }

  async find(serviceId: string, id: string): Promise<StoredPipe | undefined> {
    const row = await this.#database.reads
      .selectFrom('pipes')
      .select('document')
      .where('tenant_id', '=', serviceId)
      .where('id', '=', id)
      .executeTakeFirst();
    return row && parseDocument<StoredPipe>(row.document);
  }

  async insert(serviceId: string, pipe: StoredPipe): Promise<'inserted' | 'idTaken'> {
    const outcome = await this.#database.unlessTaken((executor) =>
      executor
        .insertInto('pipes')
        .values({ id: pipe.id, tenant_id: serviceId, document: JSON.stringify(pipe) })
        .execute(),
    );
    return outcome === 'taken' ? 'idTaken' : 'inserted';
  }

  async replace(serviceId: string, pipe: StoredPipe): Promise<'replaced' | 'missing'> {
    const result = await this.#database.writes
      .updateTable('pipes')
      .set({ document: JSON.stringify(pipe) })
      .where('tenant_id', '=', serviceId)
      .where('id', '=', pipe.id)
      .executeTakeFirst();
    return result.numUpdatedRows > 0n ? 'replaced' : 'missing';
  }

  async remove(serviceId: string, id: string): Promise<'removed' | 'missing'> {
    const result = await this.#database.writes
      .deleteFrom('pipes')
      .where('tenant_id', '=', serviceId)
      .where('id', '=', id)
      .executeTakeFirst();
    return result.numDeletedRows > 0n ? 'removed' : 'missing';
  }
}
