import type { Executor, MetadataDatabase } from './metadata-database.ts';
import { StampedCache } from './stamped-cache.ts';

type DocumentTable = 'connections' | 'dashboards' | 'saved_searches' | 'silences' | 'sources' | 'webhooks';

/** The text of one document; `undefined` if the tenant has none of this id. */
export async function findDocument(
  reads: Executor,
  table: DocumentTable,
  tenantId: string,
  id: string,
): Promise<string | undefined> {
  const row = await reads
    .selectFrom(table)
    .select('document')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.document;
}

const documentsKeptMax = 1_000;

/** As `findDocument`, for what every chart looks up: remembered until the store changes. */
export class RememberedDocuments {
  readonly #database: Pick<MetadataDatabase, 'reads' | 'stamp'>;
  readonly #table: DocumentTable;
  readonly #known: StampedCache<string>;

  constructor(database: Pick<MetadataDatabase, 'reads' | 'stamp'>, table: DocumentTable) {
    this.#database = database;
    this.#table = table;
    this.#known = new StampedCache(database.stamp, documentsKeptMax);
  }

  find(tenantId: string, id: string): Promise<string | undefined> {
    return this.#known.read(JSON.stringify([tenantId, id]), () =>
      findDocument(this.#database.reads, this.#table, tenantId, id),
    );
  }
}
