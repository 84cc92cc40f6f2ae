import { endOf, type Silence, type SilenceRepository } from '../resources/silences/silence-repository.ts';
import { readDocumentPage } from './document-page.ts';
import { findDocument } from './find-document.ts';
import type { MetadataDatabase } from './metadata-database.ts';
import { parseDocument } from './stored-document.ts';

export class SqlSilenceRepository implements SilenceRepository {
  readonly #database: MetadataDatabase;

  constructor(database: MetadataDatabase) {
    this.#database = database;
  }

  async list(
    tenantId: string,
    page: { limit: number; offset: number },
  ): Promise<{ silences: Silence[]; total: number }> {
    const { documents, total } = await readDocumentPage<Silence>(this.#database.reads, 'silences', tenantId, page);
    return { silences: documents, total };
  }

  async listUnended(tenantId: string, atMs: number): Promise<Silence[]> {
    const rows = await this.#database.reads
      .selectFrom('silences')
      .select('document')
      .where('tenant_id', '=', tenantId)
      .where((row) => row.or([row('ends_ms', 'is', null), row('ends_ms', '>', atMs)]))
      .orderBy('sequence')
      .execute();
    return rows.map((row) => parseDocument<Silence>(row.document));
  }

  async find(tenantId: string, id: string): Promise<Silence | undefined> {
    const document = await findDocument(this.#database.reads, 'silences', tenantId, id);
    return document === undefined ? undefined : parseDocument<Silence>(document);
  }

  async insert(tenantId: string, silence: Silence): Promise<void> {
    await this.#database.writes
      .insertInto('silences')
      .values({ id: silence.id, tenant_id: tenantId, ...columnsOf(silence) })
      .execute();
  }

  async replace(tenantId: string, silence: Silence): Promise<boolean> {
    const result = await this.#database.writes
      .updateTable('silences')
      .set(columnsOf(silence))
      .where('tenant_id', '=', tenantId)
      .where('id', '=', silence.id)
      .executeTakeFirst();
    return result.numUpdatedRows > 0n;
  }

  async remove(tenantId: string, id: string): Promise<boolean> {
    const result = await this.#database.writes
      .deleteFrom('silences')
      .where('tenant_id', '=', tenantId)
      .where('id', '=', id)
      .executeTakeFirst();
    return result.numDeletedRows > 0n;
  }
}

function columnsOf(silence: Silence) {
  return { ends_ms: endOf(silence), document: JSON.stringify(silence) };
}
